import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'

// Figures equal those that a client would reckon that fetches all that it is listed, with the same filter, page by page.

const api = useApi()
const callers = {
  guest: api.guest,
  member: api.as(users.member4),
  editor: api.as(users.editor),
  admin: api.as(users.admin),
}
type Caller = keyof typeof callers

interface Resource {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<
    Record<string, { readonly data: { readonly type: string; readonly id: string } | null }>
  >
}

interface Type {
  readonly type: string
  readonly filters: readonly string[]
  readonly keys: readonly string[]
  readonly relation: string
  readonly numbers: readonly string[]
}

const instants = (name: string) => ['year', 'month', 'week', 'day'].map((part) => `${name}:${part}`)
const types: readonly Type[] = [
  {
    type: 'posts',
    relation: 'author',
    keys: ['author', ...instants('publishedAt')],
    numbers: [],
    filters: ['', 'filter[title][contains]=1', 'filter[author.role]=MEMBER', 'filter[comments.id][gt]=10'],
  },
  {
    type: 'videos',
    relation: 'owner',
    keys: ['owner', 'featured'],
    numbers: ['rating', 'durationSeconds'],
    filters: ['', 'filter[featured]=true', 'filter[rating][gte]=2', 'filter[rating][isNull]=true'],
  },
  {
    type: 'comments',
    relation: 'author',
    keys: ['author', ...instants('createdAt')],
    numbers: [],
    filters: ['', 'filter[id][lte]=20', 'filter[content][contains]=2'],
  },
]

const known = new Map<string, Promise<readonly Resource[]>>()

function listed(caller: Caller, { type, relation }: Type, filter: string): Promise<readonly Resource[]> {
  const key = `${caller} ${type} ${filter}`
  const found = known.get(key) ?? fetchAll(caller, `/api/v2/${type}?include=${relation}${filter && `&${filter}`}`)
  known.set(key, found)
  return found
}

async function fetchAll(caller: Caller, path: string): Promise<readonly Resource[]> {
  const { status, body } = await callers[caller].get(path)
  expect(status, path).toBe(200)
  const next = body.links.next as string | null | undefined
  const rest = next ? await fetchAll(caller, new URL(next).pathname + new URL(next).search) : []
  return [...body.data, ...rest]
}

function isoWeek(date: Date): string {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week =
    Math.floor(
      (Date.UTC(thursday.getUTCFullYear(), thursday.getUTCMonth(), thursday.getUTCDate()) - first) / 604_800_000,
    ) + 1
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

function keyOf(resource: Resource, key: string, { relation }: Type): unknown {
  if (key === relation) return resource.relationships[relation]?.data ?? null
  const [name = '', part] = key.split(':')
  const value = resource.attributes[name] ?? null
  if (part === undefined || value === null) return value
  if (part === 'week') return isoWeek(new Date(value as string))
  return (value as string).slice(0, { year: 4, month: 7, day: 10 }[part])
}

function figuresOf(rows: readonly Resource[], figures: ReadonlyMap<string, readonly string[]>): object {
  const reckon = (name: string, each: string): unknown => {
    const values = name === '*' ? rows : rows.flatMap(({ attributes }) => attributes[name] ?? [])
    if (each === 'count') return values.length
    const numbers = values as number[]
    if (numbers.length === 0) return null
    const sum = numbers.reduce((total, value) => total + value, 0)
    if (each === 'sum' || each === 'avg') return expect.closeTo(each === 'sum' ? sum : sum / numbers.length, 6)
    return each === 'min' ? Math.min(...numbers) : Math.max(...numbers)
  }
  return Object.fromEntries(
    [...figures].map(([name, functions]) => [
      name,
      Object.fromEntries(functions.map((each) => [each, reckon(name, each)])),
    ]),
  )
}

const functions = ['count', 'sum', 'avg', 'min', 'max']
const asked = fc.constantFrom(...types).chain((type) =>
  fc.record({
    type: fc.constant(type),
    caller: fc.constantFrom(...(Object.keys(callers) as Caller[])),
    filter: fc.constantFrom(...type.filters),
    keys: fc.subarray([...type.keys], { maxLength: Math.min(4, type.keys.length) }),
    numbers: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('*', ...type.numbers),
        functions: fc.subarray(functions, { minLength: 1 }),
      }),
      { selector: ({ name }) => name, minLength: 1 },
    ),
  }),
)

test('1,000 random requests are answered with what their callers could reckon', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ type, caller, filter, keys, numbers }) => {
      const figures = new Map(numbers.map(({ name, functions: all }) => [name, name === '*' ? ['count'] : all]))
      const stats = [...figures].map(([name, all]) => `withStats[${name}]=${all.join()}`).join('&')
      const rows = await listed(caller, type, filter)
      const query = `${stats}${filter && `&${filter}`}`
      if (keys.length === 0) {
        const { body } = await callers[caller].get(`/api/v2/${type.type}?${query}`)
        expect(body.meta.stats).toEqual(figuresOf(rows, figures))
        return
      }
      const { body } = await callers[caller].get(
        `/api/v2/${type.type}/-stats?groupBy=${keys.join()}&${query}&page[size]=1000`,
      )
      const groups = new Map<string, Resource[]>()
      for (const row of rows) {
        const key = JSON.stringify(keys.map((each) => keyOf(row, each, type)))
        groups.set(key, [...(groups.get(key) ?? []), row])
      }
      const found = (body.meta.groups as { key: Record<string, unknown>; stats: object }[]).map(
        (group) => [JSON.stringify(keys.map((each) => group.key[each])), group.stats] as const,
      )
      expect(new Map(found)).toEqual(new Map([...groups].map(([key, members]) => [key, figuresOf(members, figures)])))
      expect(body.meta.page.total).toBe(groups.size)
    }),
    { numRuns: 1000 },
  )
})
