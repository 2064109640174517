import {
  type Compare,
  type Condition,
  type Json,
  type Related,
  type Visitor,
  visit,
  type Words,
} from '@prismapi/jsonapi/condition/condition'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { joinTable, type TableSizes } from '../database/tables.ts'
import { describeRules } from '../validation/request/describe-rules.ts'

/** What it costs to find the rows that meet a condition. A point is a row that is looked at. */
interface ConditionPrice {
  /** The rows that an index leads to; null where all of the table have to be looked at. */
  readonly rows: number | null
  /** What looking at one of them costs. */
  readonly each: number
  /** What is looked for in other tables: once, and not once for each row. */
  readonly once: number
  /** How many rows of other tables have their texts searched. */
  readonly searched: number
  /** The expected share of the table that meets it: for shown rows and for where a count ends, not for scans. */
  readonly share: number
  /** Are texts of each row searched. */
  readonly isSearch: boolean
  /** The comparisons without an index that make tables be looked at whole. */
  readonly scans: readonly Scan[]
}

/** A table that is looked at whole, for want of an index of this column. */
export interface Scan {
  readonly model: string
  readonly column: string
  /** No index helps. */
  readonly isSearch: boolean
}

/** Whose columns and relations a condition is about. */
interface At {
  readonly model: ModelMeta
  readonly sizes: Sizes
}

const noScans: readonly Scan[] = []
/** A row that is looked at. */
const row: ConditionPrice = {
  rows: null,
  each: 1,
  once: 0,
  share: 1,
  searched: 0,
  isSearch: false,
  scans: noScans,
}

const searches: ReadonlySet<Compare['operator']> = new Set(['contains', 'startsWith', 'endsWith', 'search'])
const charactersOfPoint = 1000
const searchedOfPoint = 50
/** Of texts that hold some letters, so many are expected to hold one more. */
const foundByLetter = 0.7

/** What it costs to compare a column with a value. */
function compared({ column, operator, value, mode, words }: Compare, { model, sizes }: At): ConditionPrice {
  if (words) return searchedWords(words, { model, sizes })
  const facts = factsOf(model, column)
  if (searches.has(operator) || (mode === 'insensitive' && operator === 'equals')) {
    const length = typeof value === 'string' ? value.length : 0
    const held = Math.ceil(sizes.characters(model, column) / charactersOfPoint)
    const each = Math.max(1, held) * Math.max(1, Math.ceil(length / searchedOfPoint))
    return { ...row, each, share: foundByLetter ** length, isSearch: true, scans: facts.search }
  }
  const values = valuesOf(operator, value)
  if (!facts.hasIndex) {
    if (values === null) return facts.compared
    return { ...facts.compared, share: Math.min(1, values / facts.differentValues) }
  }
  const table = sizes.rows(model)
  if (values !== null) {
    const rows = facts.isUnique ? values : sizes.rowsOf(model, column, values)
    return { ...row, rows, share: Math.min(1, rows / table) }
  }
  return ranges.has(operator) ? { ...half, rows: table * half.share } : half
}

/** So many rows are expected to have a word. Where only some columns of an index are seen, each row is read whole. */
const shareOfWord = 0.02

function searchedWords({ columns, seen }: Words, { model, sizes }: At): ConditionPrice {
  const table = sizes.rows(model)
  const held = seen.reduce((sum, column) => sum + sizes.characters(model, column), 0)
  const each = 1 + Math.ceil(held / charactersOfPoint)
  if (columns.length > seen.length)
    return { ...row, each, isSearch: true, scans: factsOf(model, seen[0] as ColumnMeta).search }
  return { ...row, each, share: shareOfWord, rows: Math.ceil(table * shareOfWord) }
}

/** Operators that an index answers from one place of it to another. */
export const ranges: ReadonlySet<Compare['operator']> = new Set(['lt', 'lte', 'gt', 'gte'])
/** What is compared otherwise than by equality is expected to leave half of a table. */
const half: ConditionPrice = { ...row, share: 0.5 }

/** How many values are looked up in the index; null if the comparison is not an equality, or is one with null. */
function valuesOf(operator: Compare['operator'], value: unknown): number | null {
  if (operator === 'equals') return value === null ? null : 1
  return operator === 'in' && Array.isArray(value) ? value.length : null
}

/** What a column's prices are made of, whatever it is compared with. */
interface ColumnFacts {
  readonly hasIndex: boolean
  readonly isUnique: boolean
  /** How many values it is expected to have. */
  readonly differentValues: number
  readonly search: readonly Scan[]
  /** Of a column without an index, compared with no value in particular. */
  readonly compared: ConditionPrice
}

const factsOf = (model: ModelMeta, column: ColumnMeta): ColumnFacts =>
  factsByColumn(model).get(column) ?? makeFacts(model, column)

const factsByColumn = memo(
  (model: ModelMeta) => new Map(Object.values(model.columns).map((column) => [column, makeFacts(model, column)])),
)

const makeFacts = (model: ModelMeta, column: ColumnMeta): ColumnFacts => ({
  hasIndex: hasIndex(model, column),
  isUnique: model.uniques.some((columns) => columns.length === 1 && columns[0] === column.name),
  differentValues: differentValues(column),
  search: [scanOf(model, column, true)],
  compared: { ...half, scans: [scanOf(model, column, false)] },
})

function differentValues({ type }: ColumnMeta): number {
  if (type === 'Boolean') return 2
  return type === 'String' || type === 'DateTime' ? 1000 : 20
}

export const hasIndex = ({ indexes }: ModelMeta, { name }: Pick<ColumnMeta, 'name'>): boolean =>
  indexes.some(([first]) => first === name)

const scanOf = ({ name }: ModelMeta, column: ColumnMeta, isSearch: boolean): Scan => ({
  model: name,
  column: column.name,
  isSearch,
})

export const conditionPrice = (condition: Condition, at: At): ConditionPrice => visit(condition, visitor, at)

/** The rows that are looked at, with all that is looked at for them. */
export function pointsOf(price: ConditionPrice, table: number): { readonly points: number; readonly searched: number } {
  const rows = Math.min(price.rows ?? table, table)
  return { points: rows * price.each + price.once, searched: price.searched + (price.isSearch ? rows : 0) }
}

const visitor: Visitor<ConditionPrice, At> = {
  all: ({ conditions }, at) => joined(conditions, at, every),
  any: ({ conditions }, at) => joined(conditions, at, some),
  not: ({ condition }, at) => ({ ...conditionPrice(condition, at), rows: null, share: 1 }),
  compare: compared,
  json: jsonPrice,
  related: relatedPrice,
  absent: () => row,
  constant: ({ holds }) => (holds ? row : { ...row, rows: 0 }),
}

/** It is read from its beginning to where the path leads. */
function jsonPrice({ column }: Json, { model, sizes }: At): ConditionPrice {
  const each = parsing * Math.ceil(sizes.characters(model, column) / charactersOfPoint)
  return { ...row, each, isSearch: true, scans: [scanOf(model, column, true)] }
}

/** To read Json takes as long as to search a text that is so many times as long. */
const parsing = 10

// Each request asks for this, as a rule of a few conditions: one walk, and no functions on the way.
function joined(conditions: readonly Condition[], at: At, { rowsOf, shareOf, share: none }: Joining): ConditionPrice {
  const prices = conditions.map((condition) => conditionPrice(condition, at))
  let rows: number | null = null
  let share = none
  let each = 1
  let once = 0
  let searched = 0
  let isSearch = false
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] as ConditionPrice
    rows = i === 0 ? price.rows : rowsOf(rows, price.rows)
    share = shareOf(share, price.share)
    each += price.each - 1
    once += price.once
    searched += price.searched
    isSearch ||= price.isSearch
  }
  return { rows, each, once, share, searched, isSearch, scans: scansOf(prices, rows) }
}

/** An index on one of the columns is enough. */
function scansOf(prices: readonly ConditionPrice[], rows: number | null): readonly Scan[] {
  let scans = noScans
  for (const price of prices) {
    if (price.scans.length === 0 || (rows !== null && price.once === 0)) continue
    scans = scans.length === 0 ? price.scans : [...scans, ...price.scans]
  }
  return scans
}

interface Joining {
  readonly rowsOf: (a: number | null, b: number | null) => number | null
  readonly shareOf: (a: number, b: number) => number
  /** That of no condition. */
  readonly share: number
}

const every: Joining = {
  rowsOf: (a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b)),
  shareOf: (a, b) => a * b,
  share: 1,
}
const some: Joining = {
  rowsOf: (a, b) => (a === null || b === null ? null : a + b),
  shareOf: (a, b) => Math.min(1, a + b),
  share: 0,
}

/** The row of a to-one relation is joined; those of a to-many one are looked for once, by the condition on them. */
function relatedPrice({ relation, quantifier, condition }: Related, { model, sizes }: At): ConditionPrice {
  const target = sizes.models[relation.model] as ModelMeta
  const behind = conditionPrice(condition, { model: target, sizes })
  if (quantifier === 'is') return { ...behind, rows: null, each: 1 + behind.each }
  if (condition.kind === 'constant') return { ...row, each: 2 }
  const table = sizes.rows(target)
  const { points, searched } = pointsOf(behind, table)
  const met = Math.min(behind.rows ?? table, table)
  // Each of them is kept, to look up the rows of this side in it. Rows of a join table have a link that leads back.
  const most = relation.join ? mostLinks(relation, target, sizes) : 0
  const once = points + (met * (relation.join ? 2 : 1) + most) * putAside
  const back = relation.join ? met * backwards(model, target, sizes) + most : met
  const rows = quantifier === 'some' && behind.rows !== null ? back : null
  const share = quantifier === 'some' ? Math.min(1, behind.share * sizes.fanOut(model, relation)) : 1
  return { ...row, rows, once, share, searched, scans: behind.scans }
}

/** To put a row aside takes as long as to look at so many. */
const putAside = 2

/** Rows of this side for one of the other. */
const backwards = (model: ModelMeta, target: ModelMeta, sizes: Sizes): number =>
  Math.max(1, sizes.rows(model) / sizes.rows(target))

/** The links of the row of the other side that has most of them. */
function mostLinks({ inverse }: Related['relation'], target: ModelMeta, sizes: Sizes): number {
  const back = target.relations[inverse ?? '']
  return back ? sizes.most(target, back) : 0
}

/** What prices are made of: how many rows there are, and how long their texts may be. */
export interface Sizes {
  readonly models: Resources['models']
  rows(model: ModelMeta): number
  /** How many rows a to-many relation leads to from one of its own, in the mean. */
  fanOut(model: ModelMeta, relation: RelationMeta): number
  /** How many it leads to from the one that has most of them; 0 where that are few. */
  most(model: ModelMeta, relation: RelationMeta): number
  /** The rows that have one of so many values of the foreign key, or of another column with an index. */
  rowsOf(model: ModelMeta, column: ColumnMeta, values: number): number
  /** How many characters the column may hold, or else holds in the mean. */
  characters(model: ModelMeta, column: ColumnMeta): number
  /** Is it said how long the texts of the column may be. */
  hasEnd(model: ModelMeta, column: ColumnMeta): boolean
}

/** How many characters the column may hold; null where nothing says so. */
export type EndOf = (model: ModelMeta, column: ColumnMeta) => number | null

/** Of a table with few rows, one row may lead to all the others. */
const leastFanOut = 2
/** An index that is no key narrows a table down by so much. */
const indexed = 100

export function sizesOf(tableSizes: TableSizes, models: Resources['models'], endOf: EndOf): Sizes {
  const rows = (model: ModelMeta) => tableSizes.rows(model)
  const ratio = (many: number, one: number) => Math.max(leastFanOut, many / one)
  return {
    models,
    characters: (model, column) => endOf(model, column) ?? tableSizes.octets(model, column.column),
    hasEnd: (model, column) => endOf(model, column) !== null,
    rows,
    fanOut(model, relation) {
      const join = joinTable(model, relation, models)
      const target = models[relation.model] as ModelMeta
      return ratio(join ? tableSizes.rows(join) : rows(target), rows(model))
    },
    most(model, relation) {
      const join = joinTable(model, relation, models)
      if (join) return tableSizes.most(join, relation.join?.own ?? '')
      const target = models[relation.model] as ModelMeta
      const [key] = target.relations[relation.inverse ?? '']?.foreignKey?.columns ?? []
      const column = key === undefined ? undefined : target.columns[key]
      return column ? tableSizes.most(target, column.column) : 0
    },
    rowsOf(model, column, values) {
      const relation = Object.values(model.relations).find(({ foreignKey }) => foreignKey?.columns[0] === column.name)
      const target = relation && models[relation.model]
      const mean = target ? ratio(rows(model), rows(target)) : rows(model) / indexed
      // One of them may be the most frequent value.
      return values * mean + tableSizes.most(model, column.column)
    },
  }
}

/** Types with the rules of their attributes. */
export interface DescribedTypes extends Rules {
  readonly schemas: SchemaRegistry
}

type Rules = Parameters<typeof describeRules>[0]

/** How long texts may be: as their type says, or else the rule of their attribute. */
export const endsFor = memo((server: DescribedTypes): EndOf => {
  const ends = memo((schema: ResourceSchema) => endsOf(schema, server))
  return (model: ModelMeta, column: ColumnMeta) => {
    const [type = '', size] = column.native ?? []
    if (/char$/i.test(type) && Number(size) > 0) return Number(size)
    const schema = server.schemas.byModel.get(model.name)
    return (schema && ends(schema).get(column.name)) ?? null
  }
})

function endsOf(schema: ResourceSchema, server: Rules): ReadonlyMap<string, number> {
  const described = describeRules(server, { kind: 'create', schema })
  const ends = new Map<string, number>()
  for (const { name, column } of schema.attributes.values()) {
    const rule = described?.rules.fields.get(name)?.describe()
    if (!rule || !column || !('tests' in rule)) continue
    const max = rule.tests.find(({ name: test }) => test === 'max' || test === 'length')?.params
    const end = max?.max ?? max?.length
    if (typeof end === 'number') ends.set(column.name, end)
  }
  return ends
}
