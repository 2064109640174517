import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import { absent, all, any, everything, not, related } from './build.ts'
import type { Condition } from './condition.ts'
import { parseColumn } from './parse-column.ts'
import { isPlain } from './plain.ts'

type Models = Resources['models']

/**
 * What an application says of rows, in Prisma's `where` vocabulary, where each part has to say something. Prisma drops
 * `undefined` and empty branches silently, so that a condition on `user?.id` would hold for every row; here they are errors.
 *
 * @throws {Error} for a field that the model lacks, an operator that the field lacks, an `undefined`, or an empty branch.
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
    .filter((branch) => branch !== null || isMissed(key, ctx))
    .map((branch) => branch ?? everything)
  if (key === 'OR') return any(branches)
  if (branches.length === 0) return null
  return all(...(key === 'AND' ? branches : branches.map(not)))
}

function isMissed(key: Logical, { isStrict }: ParseContext): false {
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

/** Prisma takes a to-one relation's condition without its `is`, too. There, an empty one asks nothing, not even for a row. */
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
