import { formMark, resetMark } from '../data/page-request.ts'

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

/** What is one condition of an or. */
const orGroup = /^filter\[or\]\[\d{1,4}\]\[/

/** The same key by itself, or with the mark of a list. */
const isKey = (name: string, key: string): boolean => name.replace(/\[\d{0,4}\]$/, '') === key

/** Adds the filter that a form tells of to all that are there: joined by and, or by or. */
function applyFilter(sent: URLSearchParams, query: URLSearchParams): void {
  const field = sent.get('-field')
  if (!field) return
  const [operator = '', settled] = (sent.get('-operator') ?? '').split(':')
  const value = settled ?? writtenValue(sent)
  if (value === '') return
  const key = keyOf('', field, operator)
  const apart = sent.get('-apart')
  const before = [...query].filter(([name]) => name.startsWith('filter[') && name !== apart)
  if (key === apart) query.set(key, value)
  else if (sent.get('-join') === 'or' && before.length > 0) {
    joinByOr(query, before)
    query.append(keyOf(nextGroup(query, 'or'), field, operator), value)
  } else if (before.some(([name]) => isKey(name, key)))
    query.append(keyOf(nextGroup(query, 'and'), field, operator), value)
  else query.append(key, value)
}

/** All that is there becomes the first group of an or, if it is not one already. */
function joinByOr(query: URLSearchParams, before: readonly (readonly [string, string])[]): void {
  if (before.every(([name]) => orGroup.test(name))) return
  for (const [name] of before) query.delete(name)
  for (const [name, value] of before) query.append(name.replace('filter', 'filter[or][0]'), value)
}

/** `[or][2]` behind `[or][0]` and `[or][1]`. */
function nextGroup(query: URLSearchParams, kind: 'and' | 'or'): string {
  const group = new RegExp(`^filter\\[${kind}\\]\\[(\\d{1,4})\\]\\[`)
  const taken = [...query.keys()].map((name) => Number(group.exec(name)?.[1] ?? -1))
  return `[${kind}][${Math.max(-1, ...taken) + 1}]`
}

// Filter forms are plain GET forms, which cannot write the lists of JSON:API. The server turns what they send into a
// URL of the API and redirects the browser there, so the address of a page is always such a URL.

/**
 * The query that a form asks for; null if no form sent it. Names that begin with `-` are the form's: `-include`,
 * `-sort`, `-withCount` and `-fields.<type>` come once for each value, `-of` names a type and the fields that it has
 * by default, and `-field`, `-operator`, `-value`, `-join` and `-apart` make a filter. All others are parameters; empty
 * ones are left out.
 */
export function queryOfForm(search: string): string | null {
  const sent = new URLSearchParams(search)
  if (!sent.has(formMark)) return null
  if (sent.has(resetMark)) return ''
  const query = new URLSearchParams()
  for (const [name, value] of sent) if (!name.startsWith('-') && value !== '') query.append(name, value)
  for (const name of ['include', 'sort', 'withCount']) {
    const values = sent.getAll(`-${name}`).filter((value) => value !== '')
    if (values.length > 0) query.set(name, values.join(','))
  }
  for (const chosen of sent.getAll('-of')) {
    const [type = '', usual = ''] = chosen.split(' ')
    const names = sent.getAll(`-fields.${type}`)
    if (names.join() !== usual) query.set(`fields[${type}]`, names.join(','))
  }
  applyFilter(sent, query)
  return query.size === 0 ? '' : `?${query}`
}
