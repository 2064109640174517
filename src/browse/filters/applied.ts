// What the form of a filter sends becomes parameters of the API.

/** `filter[or][1][title][contains]`: what the form's fields name. */
const keyOf = (prefix: string, field: string, operator: string): string =>
  `filter${prefix}[${field}]${operator === '' ? '' : `[${operator}]`}`

// Browsers leave out the zone, which is UTC here.
const withoutZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/** The values of the form as the API takes them: a list by commas, an instant with its zone. */
const writtenValue = (sent: URLSearchParams): string =>
  sent
    .getAll('-value')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => (sent.get('-kind') === 'datetime' && withoutZone.test(each) ? `${each}Z` : each))
    .join(',')

/** Adds the filter that a form tells of to the others: joined by and, or as another group of an or. */
export function applyFilter(sent: URLSearchParams, query: URLSearchParams): void {
  const field = sent.get('-field')
  if (!field) return
  const [operator = '', settled] = (sent.get('-operator') ?? '').split(':')
  const value = settled ?? writtenValue(sent)
  if (value === '') return
  const before = [...query].filter(([name]) => name.startsWith('filter['))
  if (sent.get('-join') !== 'or' || before.length === 0) {
    query.set(keyOf('', field, operator), value)
    return
  }
  for (const [name, each] of before) {
    if (name.startsWith('filter[or]')) continue
    query.delete(name)
    query.append(name.replace('filter', 'filter[or][0]'), each)
  }
  const groups = [...query.keys()].flatMap((name) => /^filter\[or\]\[(\d+)\]/.exec(name)?.[1] ?? [])
  query.set(keyOf(`[or][${Math.max(0, ...groups.map(Number)) + 1}]`, field, operator), value)
}
