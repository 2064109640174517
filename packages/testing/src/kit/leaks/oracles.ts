import { idOperators, operatorsOf, takesList } from '@prismapi/jsonapi/query/filter-operators'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type Attribute, type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { eachOf } from '../each-of.ts'
import { isObject } from '../judges/judged.ts'
import { type Clause, filterUrl, inList, type Leaf, leavesOf } from './filters.ts'
import type { KnownRow } from './urls.ts'
import type { Get, Leak } from './walk.ts'
import { groundsOf, hiddenMembers, hiddenRows, schemasOf, shownRows, type World } from './world.ts'

// Filters that ask after hidden rows. Each stands beside one that finds the same where they are hidden.

/** A filter, the same by what no row has, and what is wrong where they differ. */
interface Pair {
  readonly url: string
  readonly other: string
  readonly what: string
  /** By an own relation: what is most likely to find something. */
  readonly isNear: boolean
}

/** By their paths: on fields, and across one and two relations. */
export function oraclePairs(world: World): readonly Pair[] {
  const { registry } = groundsOf(world)
  const made = new Map<Leaf['field'] | ResourceSchema, (path: string) => readonly Twins[]>()
  const twinsOf = (leaf: Leaf): readonly Twins[] => {
    const key = leaf.field === 'id' ? leaf.schema : leaf.field
    const twins = made.get(key) ?? conditionsOf(world, leaf)
    made.set(key, twins)
    return twins(leaf.path)
  }
  const pairs = schemasOf(world).flatMap((schema) =>
    leavesOf(registry, schema, 2).flatMap((leaf) =>
      twinsOf(leaf).map(({ clause, twin, what }): [string, Pair] => {
        const url = filterUrl(`/${schema.type}`, [clause])
        const isOwn = /^[^.]+(?:\.(?:every|none))?$/.test(leaf.path)
        const isNear = isOwn && (isRelation(leaf.field) || hiddenOf(world, leaf).length > 0)
        return [url, { url, other: filterUrl(`/${schema.type}`, [twin]), what, isNear }]
      }),
    ),
  )
  // Pieces of different values may be the same.
  return [...new Map(pairs).values()]
}

const isRelation = (field: Leaf['field']): boolean => field !== 'id' && !('deserialize' in field)

/** The hidden values of an attribute. */
const hiddenOf = (world: World, { schema, field }: Pick<Leaf, 'schema' | 'field'>): readonly HiddenMember[] =>
  field === 'id' ? [] : hiddenMembers(world, schema).filter(({ name }) => name === field.name)

type HiddenMember = ReturnType<typeof hiddenMembers>[number]

interface Twins {
  readonly clause: Clause
  readonly twin: Clause
  readonly what: string
}

/** Hidden values that each path is asked with. */
const valuesAtMost = 3

const byNone = 'finds something else than a value that no row has'

/** What a field is asked with, wherever a path leads to it. */
function conditionsOf(world: World, { schema, field }: Leaf): (path: string) => readonly Twins[] {
  if (field === 'id') return idTwins(world, schema, idOperators(schema.id))
  if ('deserialize' in field) return attributeTwins(world, schema, field)
  const operators = isToMany(field) ? [] : ['equals', 'not', 'notIn']
  const each = targetSchemas(world.server.schemas, field).map((target) => idTwins(world, target, operators))
  return (path) => each.flatMap((twins) => twins(path))
}

function idTwins(world: World, schema: ResourceSchema, operators: readonly string[]) {
  const missing = world.missing.get(schema.model.name) as string
  const ids = hiddenRows(world, schema)
    .slice(0, valuesAtMost)
    .map(({ id }) => id)
  return (path: string) =>
    ids.flatMap((id) => [...equals(path, ['', ...operators], id, missing), ...orders(path, operators, id)])
}

/** Too few values to be one row's own, or none that equal each other. */
const untold: ReadonlySet<string> = new Set(['boolean', 'enum', 'json', 'bytes'])

function attributeTwins(world: World, schema: ResourceSchema, attribute: Attribute) {
  const operators = operatorsOf(attribute, world.server.resources.provider)
  if (untold.has(attribute.kind) || attribute.isList || operators.length === 0) return () => []
  const of = (rows: readonly KnownRow[]) => rows.flatMap(({ values }) => values.get(attribute.name) ?? [])
  const members = hiddenOf(world, { schema, field: attribute })
  const unseen = new Set(members.map(({ id }) => id))
  const hidden = [...of(hiddenRows(world, schema)), ...members.flatMap(({ value }) => value ?? [])]
  const seen = of(shownRows(world, schema).filter(({ id }) => !unseen.has(id)))
  const shown = seen.map((value) => comparable(attribute, value))
  const taken = new Set(shown)
  const own = [...new Set(hidden)].filter((value) => value !== '' && !taken.has(comparable(attribute, value)))
  const missing = missingValue(attribute, [...seen, ...hidden])
  return (path: string) =>
    own
      .slice(0, valuesAtMost)
      .flatMap((value) => [
        ...equals(path, ['', ...operators], value, missing),
        ...orders(path, operators, value),
        ...(attribute.kind === 'string' ? searches(path, operators, { value, shown }) : []),
      ])
}

const texts: ReadonlySet<string> = new Set(['string', 'datetime', 'date', 'time'])

/** As databases compare: letters of any size, and numbers however they are written. */
const comparable = ({ kind }: Attribute, value: string): string =>
  texts.has(kind) ? value.toLowerCase() : String(Number(value))

const uuid = '00000000-0000-4000-8000-00000000dead'

/** A value of the attribute's kind that no row has. */
export function missingValue({ kind, column }: Attribute, taken: readonly string[]): string {
  if (kind === 'string') return column?.native?.[0] === 'Uuid' ? uuid : 'what no row has'
  if (kind === 'datetime') return '1971-02-03T04:05:06.000Z'
  if (kind === 'date') return '1971-02-03'
  if (kind === 'time') return '04:05:06'
  const [native, precision, scale = '0'] = column?.native ?? []
  const room = precision === undefined ? 10 : Number(precision) - Number(scale)
  const most = native === 'SmallInt' ? 32_011 : Math.min(10 ** room - 1, 2_000_000_011)
  const numbers = new Set(taken.map(Number))
  return String(Array.from({ length: numbers.size + 1 }, (_, i) => most - i).find((each) => !numbers.has(each)))
}

const equality = ['', 'equals', 'not', 'in', 'notIn']

function equals(path: string, operators: readonly string[], value: string, missing: string): readonly Twins[] {
  return operators
    .filter((operator) => equality.includes(operator))
    .map((operator) => {
      const key = `[${path}]${operator === '' ? '' : `[${operator}]`}`
      const spelled = (text: string) => (operator === '' || takesList.has(operator) ? inList(text) : text)
      return { clause: [key, spelled(value)], twin: [key, spelled(missing)], what: byNone }
    })
}

/** Between `gt` and `gte` lies nothing but the value itself. */
function orders(path: string, operators: readonly string[], value: string): readonly Twins[] {
  return ['gt', 'lt']
    .filter((operator) => operators.includes(operator))
    .map((operator) => ({
      clause: [`[${path}][${operator}e]`, value],
      twin: [`[${path}][${operator}]`, value],
      what: `finds something else than by ${operator}`,
    }))
}

const begins = (text: string, piece: string) => text.startsWith(piece)
const ends = (text: string, piece: string) => text.endsWith(piece)
const holds = (text: string, piece: string) => text.includes(piece)

/** What each search looks for: a piece of the value. */
const pieces: Readonly<Record<string, readonly [cut: (value: string) => string, finds: typeof begins]>> = {
  contains: [(value) => value.slice(1, -1), holds],
  startsWith: [(value) => value.slice(0, 8), begins],
  endsWith: [(value) => value.slice(-8), ends],
}

interface Searched {
  readonly value: string
  /** In small letters. */
  readonly shown: readonly string[]
}

/** A piece that only hidden rows have; the whole of the value, where others have the piece. */
function searches(path: string, operators: readonly string[], { value, shown }: Searched): readonly Twins[] {
  return operators.flatMap((operator): Twins[] => {
    const [cut, finds] = pieces[operator] ?? pieces[operator.replace(/^i(.)/, '$1')] ?? []
    if (!cut || !finds) return []
    const own = [cut(value), value].find(
      (piece) => piece !== '' && !shown.some((text) => finds(text, piece.toLowerCase())),
    )
    if (own === undefined) return []
    const key = `[${path}][${operator}]`
    return [{ clause: [key, own], twin: [key, `what no row has ${own} what no row has`], what: byNone }]
  })
}

/** What is found by a value of a hidden row is what is found by none. */
export async function comparePairs(basePath: string, pairs: readonly Pair[], get: Get): Promise<readonly Leak[]> {
  const leaks: Leak[] = []
  await eachOf(pairs, async ({ url, other, what }) => {
    const [answer, without] = await Promise.all([get(basePath + url), get(basePath + other)])
    // What takes nonsense for a value finds hidden rows by it as well.
    if (what === byNone && isPositive(other) && findsAny(without.text))
      leaks.push({ url: other, what: 'finds something by a value that no row has' })
    if (answer.status === without.status && foundIn(answer.text) === foundIn(without.text)) return
    leaks.push({ url, what })
  })
  return leaks
}

const isPositive = (url: string): boolean => !/\[(?:not|notIn)\]=|\.(?:every|none)[.\]]/.test(url)

function findsAny(text: string): boolean {
  const document: unknown = JSON.parse(text)
  return isObject(document) && Array.isArray(document.data) && document.data.length > 0
}

/** A document without its links, which repeat the request; of errors nothing, since they may quote it. */
function foundIn(text: string): string {
  const document: unknown = JSON.parse(text)
  if (!isObject(document) || document.errors !== undefined) return ''
  return JSON.stringify({ ...document, links: null })
}
