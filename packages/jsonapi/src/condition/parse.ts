import { isPlain } from '../document/types.ts'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import { absent, all, any, compare, everything, json, not, related } from './build.ts'
import { type Condition, type JsonOperator, jsonOperators, type Mode, type Operator, operators } from './condition.ts'

type Models = Resources['models']

/**
 * What an application says of rows, in Prisma's `where` vocabulary, where each part
 * has to say something. Prisma drops `undefined` and empty branches silently, so
 * that a condition on `user?.id` would hold for every row; here they are errors.
 *
 * @throws {Error} for a field that the model lacks, an operator that
 * the field lacks, an `undefined`, or an empty branch.
 */
export const parseCondition = (where: unknown, model: ModelMeta, models: Models): Condition =>
  parse(where, { model, models, isStrict: true }) ?? everything

/**
 * The same as Prisma reads it: what is undefined, and a branch without a condition, is left out.
 *
 * @throws {Error} for a field that the model lacks, or an operator that the field lacks.
 */
export const readCondition = (where: unknown, model: ModelMeta, models: Models): Condition =>
  parse(where, { model, models, isStrict: false }) ?? everything

interface ParseContext {
  readonly model: ModelMeta
  readonly models: Models
  readonly isStrict: boolean
}

/** Null where nothing is said. */
function parse(where: unknown, ctx: ParseContext): Condition | null {
  if (!isPlain(where)) throw new Error('a condition must be a Prisma where object.')
  const fields: Condition[] = []
  const clauses: Condition[] = []
  for (const key of Object.keys(where)) {
    const value = where[key]
    if (value === undefined) {
      if (ctx.isStrict) throw new UndefinedValue(`${key} is undefined.`)
      continue
    }
    const isClause = isLogical(key)
    const condition = isClause ? parseClause(key, value, ctx) : parseField(key, value, ctx)
    if (condition !== null) (isClause ? clauses : fields).push(condition)
  }
  if (fields.length + clauses.length === 0) return null
  return all(all(...fields), ...clauses)
}

/** A value is undefined. What cures it depends on what the condition is for. */
export class UndefinedValue extends Error {}

type Logical = 'AND' | 'OR' | 'NOT'
const isLogical = (key: string): key is Logical => key === 'AND' || key === 'OR' || key === 'NOT'

function parseClause(key: Logical, value: unknown, ctx: ParseContext): Condition | null {
  const branches = (Array.isArray(value) ? value : [value])
    .map((branch) => parse(branch, ctx))
    .filter((branch) => branch !== null || refuseEmptyBranch(key, ctx))
    .map((branch) => branch ?? everything)
  if (key === 'OR') return any(branches)
  if (branches.length === 0) return null
  return all(...(key === 'AND' ? branches : branches.map(not)))
}

function refuseEmptyBranch(key: Logical, { isStrict }: ParseContext): false {
  if (!isStrict || key === 'AND') return false
  throw new Error(`a branch of ${key} has no condition. Leave it out, or write an unconditional rule.`)
}

function parseField(key: string, value: unknown, ctx: ParseContext): Condition | null {
  const { model, models } = ctx
  const relation = Object.hasOwn(model.relations, key) ? model.relations[key] : undefined
  if (relation) return parseRelation(relation, value, { ...ctx, model: models[relation.model] as ModelMeta })
  const column = Object.hasOwn(model.columns, key) ? model.columns[key] : undefined
  if (!column) throw unknownField(key, model)
  if (ctx.isStrict) checkFilter(column, value)
  return parseColumn(column, value)
}

const relationTests: ReadonlySet<string> = new Set(['is', 'isNot', 'some', 'every', 'none'])

/** `target` is the place behind the relation. */
function parseRelation(relation: RelationMeta, value: unknown, target: ParseContext): Condition | null {
  const isShort = !isPlain(value) || !Object.keys(value).some((key) => relationTests.has(key))
  if (isShort) return relation.isList ? refuse(relation) : parseShort(relation, value, target)
  const tests: Condition[] = []
  for (const test of Object.keys(value)) {
    const where = value[test]
    if (where !== undefined) tests.push(parseTest(relation, test, { where, target }))
    else if (target.isStrict) throw new UndefinedValue(`${test} is undefined.`)
  }
  return tests.length === 0 ? null : all(...tests)
}

/**
 * Prisma takes a to-one relation's condition without its `is`, too.
 * There, an empty one asks nothing, not even for a row.
 */
function parseShort(relation: RelationMeta, value: unknown, target: ParseContext): Condition | null {
  if (value === null) return absent(relation)
  const condition = parse(value, target)
  if (condition) return related(relation, 'is', condition)
  if (!target.isStrict) return null
  const cure = 'Leave it out, or say { is: {} } where there only has to be such a row.'
  throw new Error(`${relation.name} has no condition. ${cure}`)
}

function parseTest(
  relation: RelationMeta,
  test: string,
  { where, target }: { readonly where: unknown; readonly target: ParseContext },
): Condition {
  const isOne = test === 'is' || test === 'isNot'
  if (isOne === relation.isList || !relationTests.has(test)) return refuse(relation)
  if (isOne) {
    const is = where === null ? absent(relation) : related(relation, 'is', parse(where, target) ?? everything)
    return test === 'is' ? is : not(is)
  }
  return related(relation, test as 'some' | 'every' | 'none', parse(where, target) ?? everything)
}

function refuse({ name, isList }: RelationMeta): never {
  throw new Error(`${name} is asked with ${isList ? 'some, every or none' : 'is or isNot'}, and nothing else.`)
}

function checkFilter({ name }: ColumnMeta, filter: unknown): void {
  if (isPlain(filter) && Object.keys(filter).length === 0)
    throw new Error(`${name} has an empty filter. Leave it out, or name an operator.`)
  if (holdsUndefined(filter)) throw new UndefinedValue(`${name} is undefined somewhere.`)
}

function holdsUndefined(value: unknown): boolean {
  if (value === undefined) return true
  if (Array.isArray(value)) return value.some(holdsUndefined)
  return isPlain(value) && Object.values(value).some(holdsUndefined)
}

function unknownField(key: string, model: ModelMeta): Error {
  const meant = nearest(key, [...Object.keys(model.columns), ...Object.keys(model.relations), 'AND', 'OR', 'NOT'])
  return new Error(`the model ${model.name} has no field "${key}".${meant ? ` Did you mean "${meant}"?` : ''}`)
}

type Filter = Readonly<Record<string, unknown>>

/**
 * What a filter puts on one column: a bare value, null, or operators that all have to hold; null where it says nothing.
 */
export function parseColumn(column: ColumnMeta, filter: unknown): Condition | null {
  if (column.type === 'Json' && !column.isList)
    return isPlain(filter) ? parseJson(column, filter) : whole(column, filter)
  if (!isPlain(filter)) return compare(column, 'equals', filter)
  return parseOperators(column, filter, parseMode(column, filter), compareBy)
}

type Make = (column: ColumnMeta, operator: Operator, value: unknown, mode: Mode) => Condition | null

function parseOperators(column: ColumnMeta, filter: Filter, mode: Mode, make: Make): Condition | null {
  const conditions: Condition[] = []
  for (const name of Object.keys(filter)) {
    const value = filter[name]
    if (name === 'mode' || value === undefined) continue
    if (!isOperator(name)) throw unknownOperator(column, name, operators)
    const condition = make(column, name, value, mode)
    if (condition !== null) conditions.push(condition)
  }
  return conditions.length === 0 ? null : all(...conditions)
}

const isOperator = (name: string): name is Operator => (operators as readonly string[]).includes(name)

const compareBy: Make = (column, operator, value, mode) => {
  if (operator !== 'not' || !isPlain(value)) return compare(column, operator, value, mode)
  return parseOperators(column, value, parseMode(column, value) ?? mode, denyOperator)
}

const opposite: Partial<Record<Operator, Operator>> = {
  equals: 'not',
  in: 'notIn',
  notIn: 'in',
  lt: 'gte',
  lte: 'gt',
  gt: 'lte',
  gte: 'lt',
}

/** An operator inside of `not`, which Prisma moves into each of them. */
const denyOperator: Make = (column, operator, value, mode) => {
  const other = opposite[operator]
  if (other) return compare(column, other, value, mode)
  const condition = compareBy(column, operator, value, mode)
  return condition && not(condition)
}

function parseMode(column: ColumnMeta, { mode }: Filter): Mode {
  if (mode === undefined || mode === 'default') return null
  if (mode === 'insensitive') return mode
  throw new Error(`${column.name}: the mode is default or insensitive.`)
}

const whole = (column: ColumnMeta, value: unknown): Condition => json(column, null, { operator: 'equals', value })

// What stands behind `not` of a Json column is a value, even where it looks like operators.
function parseJson(column: ColumnMeta, filter: Filter): Condition | null {
  const mode = parseMode(column, filter)
  const { path = null } = filter
  const conditions: Condition[] = []
  for (const name of Object.keys(filter)) {
    const value = filter[name]
    if (name === 'mode' || name === 'path' || value === undefined) continue
    if (!isJsonOperator(name)) throw unknownOperator(column, name, jsonOperators)
    conditions.push(json(column, path, { operator: name, value, mode }))
  }
  return conditions.length === 0 ? null : all(...conditions)
}

const isJsonOperator = (name: string): name is JsonOperator => (jsonOperators as readonly string[]).includes(name)

function unknownOperator({ name }: ColumnMeta, operator: string, known: readonly string[]): Error {
  const meant = nearest(operator, [...known])
  return new Error(`${name} has no operator "${operator}".${meant ? ` Did you mean "${meant}"?` : ''}`)
}
