import { AnyNull, DbNull } from '@prisma/client/runtime/client'
import type { ColumnMeta, ModelMeta, Resources } from '../model/meta.ts'
import { every, nothing, some, type Where } from '../model/where.ts'

type Models = Resources['models']

interface Side {
  readonly model: ModelMeta
  readonly models: Models
}

/**
 * A condition that holds for the same rows, and is false, never NULL, for all others. A scope has to be one wherever
 * it stands under a NOT: of `publishedAt <= now AND title = 'x'` on a draft, SQL makes NULL or false, depending on the
 * title; both mean "hidden", but NOT tells them apart, and so tells the title.
 */
export const definite = (where: Where, model: ModelMeta, models: Models): Where => isTrue(where, { model, models })

const isTrue = (where: Where, side: Side): Where =>
  every(...clausesOf(where).map(([key, value]) => clauseIsTrue(key, value, side)))

/** The condition's denial: holds where the condition is false, and not where it is NULL. */
const isFalse = (where: Where, side: Side): Where =>
  some(
    clausesOf(where).map(([key, value]) => clauseIsFalse(key, value, side)),
    noRow(side),
  )

const clausesOf = (where: Where) => Object.entries(where).filter(([, value]) => value !== undefined)
const noRow = ({ model }: Side): Where => nothing(model.key[0] as string)

// Prisma reads a branch without a condition as none at all.
const branchesOf = (value: unknown): readonly Where[] =>
  [value].flat().filter((branch): branch is Where => isPlain(branch) && clausesOf(branch).length > 0)

function clauseIsTrue(key: string, value: unknown, side: Side): Where {
  if (key === 'AND') return every(...branchesOf(value).map((branch) => isTrue(branch, side)))
  if (key === 'OR')
    return some(
      branchesOf(value).map((branch) => isTrue(branch, side)),
      noRow(side),
    )
  if (key === 'NOT') return every(...branchesOf(value).map((branch) => isFalse(branch, side)))
  const target = targetOf(key, side)
  if (target) return every(...relationTests(value).map(([test, where]) => relationIsTrue(key, [test, where], target)))
  return every({ [key]: value }, present(key, value, side))
}

function clauseIsFalse(key: string, value: unknown, side: Side): Where {
  if (key === 'AND')
    return some(
      branchesOf(value).map((branch) => isFalse(branch, side)),
      noRow(side),
    )
  if (key === 'OR') return every(...branchesOf(value).map((branch) => isFalse(branch, side)))
  if (key === 'NOT')
    return some(
      branchesOf(value).map((branch) => isTrue(branch, side)),
      noRow(side),
    )
  const target = targetOf(key, side)
  if (target)
    return some(
      relationTests(value).map((test) => relationIsFalse(key, test, target)),
      noRow(side),
    )
  return every({ NOT: { [key]: value } }, present(key, value, side))
}

function targetOf(key: string, { model, models }: Side): Side | null {
  const relation = Object.hasOwn(model.relations, key) ? model.relations[key] : undefined
  return relation ? { model: models[relation.model] as ModelMeta, models } : null
}

type RelationTest = readonly [test: string, where: unknown]

const relationOperators: ReadonlySet<string> = new Set(['is', 'isNot', 'some', 'every', 'none'])

function relationTests(value: unknown): readonly RelationTest[] {
  const tests = isPlain(value) ? clausesOf(value) : []
  return tests.some(([key]) => relationOperators.has(key)) ? tests : [['is', value]]
}

// `some`, `every` and `none` become EXISTS, which is never NULL; `is` becomes a join, which is whatever its condition is.
function relationIsTrue(relation: string, [test, where]: RelationTest, target: Side): Where {
  if (test === 'is' && isPlain(where)) return { [relation]: { is: isTrue(where, target) } }
  if (test === 'isNot' && isPlain(where)) return some([missing(relation), deniedBy(relation, where, target)], {})
  return { [relation]: { [test]: where } }
}

function relationIsFalse(relation: string, [test, where]: RelationTest, target: Side): Where {
  if (test === 'is' && isPlain(where)) return some([missing(relation), deniedBy(relation, where, target)], {})
  if (test === 'isNot' && isPlain(where)) return { [relation]: { is: isTrue(where, target) } }
  return { NOT: { [relation]: { [test]: where } } }
}

const missing = (relation: string): Where => ({ NOT: { [relation]: { is: {} } } })
const deniedBy = (relation: string, where: Where, target: Side): Where => ({
  [relation]: { is: isFalse(where, target) },
})

/** The test that a nullable column needs beside its own; null where its own cannot be NULL. */
function present(key: string, value: unknown, { model }: Side): Where | null {
  const column: ColumnMeta | undefined = Object.hasOwn(model.columns, key) ? model.columns[key] : undefined
  if (!column || column.isList || testsNull(value)) return null
  // A path leads nowhere in some rows, whatever the column says.
  if (isPlain(value) && 'path' in value) return { [key]: { path: value.path, not: DbNull } }
  if (!column.isNullable) return null
  return { [key]: { not: column.type === 'Json' ? DbNull : null } }
}

const testsNull = (value: unknown): boolean =>
  value === null ||
  value === DbNull ||
  value === AnyNull ||
  (isPlain(value) && (testsNull(value.equals) || testsNull(value.not)))

function isPlain(value: unknown): value is Where {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
