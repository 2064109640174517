import fc from 'fast-check'
import { resources } from '../../../../test/support/schemas.ts'
import {
  absent,
  all,
  any,
  columnOf,
  compare,
  everything,
  json,
  not,
  nothing,
  related,
  relationOf,
  undecided,
} from '../../src/condition/build.ts'
import {
  type Compare,
  type Condition,
  type Json,
  type Related,
  type Visitor,
  visit,
} from '../../src/condition/condition.ts'
import type { ColumnMeta, ModelMeta } from '../../src/model/meta.ts'
import { AnyNull, DbNull } from '../../src/model/prisma-values.ts'

// Small posts, conditions on them, and what SQL says of one by the other.

export type Truth = boolean | null

export interface Post {
  readonly title: string | null
  readonly slug: string | null
  /** Null where the column has no value. */
  readonly meta: { readonly a?: string } | null
  readonly author: Author | null
  readonly comments: readonly Comment[]
}
interface Author {
  readonly name: string | null
}
interface Comment {
  readonly content: string
  readonly spam: boolean | null
}
type AnyRow = Readonly<Record<string, unknown>>

export const postModel = resources.models.Post as ModelMeta
const userModel = resources.models.User as ModelMeta
const commentModel = resources.models.Comment as ModelMeta

export const negation = (truth: Truth): Truth => (truth === null ? null : !truth)
export const conjunction = (truths: readonly Truth[]): Truth => {
  if (truths.some((each) => each === false)) return false
  return truths.some((each) => each === null) ? null : true
}
export const disjunction = (truths: readonly Truth[]): Truth => negation(conjunction(truths.map(negation)))

/** What the database says of a row: true, false, or unknown. */
export const truthOf = (condition: Condition, row: Post): Truth => visit(condition, inSql, row as unknown as AnyRow)

const inSql: Visitor<Truth, AnyRow> = {
  all: ({ conditions }, row) => conjunction(conditions.map((each) => visit(each, inSql, row))),
  any: ({ conditions }, row) => disjunction(conditions.map((each) => visit(each, inSql, row))),
  not: ({ condition }, row) => negation(visit(condition, inSql, row)),
  compare: (node, row) => compared(node, row[node.column.name] ?? null, null),
  json: (node, row) => compared(node, within(row[node.column.name], node.path), DbNull),
  related: acrossRelation,
  absent: ({ relation }, row) => row[relation.name] === null,
  constant: ({ holds }) => holds,
}

function compared({ operator, value }: Compare | Json, given: unknown, noValue: unknown): Truth {
  if (value === noValue || value === AnyNull) return (given === null) === (operator === 'equals')
  if (Array.isArray(value)) {
    const holds = value.length === 0 ? false : given === null ? null : value.includes(given)
    return operator === 'in' ? holds : negation(holds)
  }
  if (given === null) return null
  return (given === value) === (operator === 'equals')
}

function within(value: unknown, path: unknown): unknown {
  return (path as readonly string[]).reduce((at, key) => (at as AnyRow | null)?.[key] ?? null, value)
}

// A relation to one is a join: where there is no row, its columns are null.
function acrossRelation({ relation, quantifier, condition }: Related, row: AnyRow): Truth {
  const target = row[relation.name]
  if (quantifier === 'is') return conjunction([visit(condition, inSql, (target ?? {}) as AnyRow), target !== null])
  const truths = (target as readonly AnyRow[]).map((each) => visit(condition, inSql, each))
  if (quantifier === 'every') return !truths.includes(false)
  return truths.includes(true) === (quantifier === 'some')
}

export const holdsUndecided = (condition: Condition): boolean =>
  visit<boolean, null>(
    condition,
    {
      all: ({ conditions }) => conditions.some(holdsUndecided),
      any: ({ conditions }) => conditions.some(holdsUndecided),
      not: (node) => holdsUndecided(node.condition),
      compare: () => false,
      json: () => false,
      related: (node) => holdsUndecided(node.condition),
      absent: () => false,
      constant: ({ holds }) => holds === null,
    },
    null,
  )

const letters = ['a', 'b']
const letter = fc.constantFrom(...letters)

export const rows: fc.Arbitrary<Post> = fc.record({
  title: fc.option(letter),
  slug: letter,
  meta: fc.option(fc.record({ a: letter }, { requiredKeys: [] })),
  author: fc.option(fc.record({ name: fc.option(letter) })),
  comments: fc.array(fc.record({ content: letter, spam: fc.option(fc.boolean()) }), { maxLength: 2 }),
})

const testsOf = (column: ColumnMeta, values: readonly unknown[] = letters): fc.Arbitrary<Condition> => {
  const value = fc.constantFrom(...values)
  return fc.oneof(
    fc
      .tuple(fc.constantFrom('equals', 'not'), fc.option(value))
      .map(([operator, each]) => compare(column, operator, each)),
    fc
      .tuple(fc.constantFrom('in', 'notIn'), fc.subarray([...values]))
      .map(([operator, each]) => compare(column, operator, each)),
  )
}

const jsonTests = fc
  .tuple(fc.constantFrom('equals', 'not'), fc.constantFrom('a', 'b', AnyNull, DbNull))
  .map(([operator, value]) => json(columnOf(postModel, 'meta'), ['a'], { operator, value }))

const joined = (part: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc.oneof(
    fc.array(part, { maxLength: 3 }).map((parts) => all(...parts)),
    fc.array(part, { maxLength: 3 }).map(any),
    part.map(not),
  )

const constants = fc.constantFrom(everything, nothing)
const titleTests = testsOf(columnOf(postModel, 'title'))
const slugTests = testsOf(columnOf(postModel, 'slug'))
const columnTests = fc.oneof(titleTests, slugTests, jsonTests)

/** On the columns of a post. */
export const onColumns: fc.Arbitrary<Condition> = treesOf(columnTests)
/** The same with parts that nobody may know the answer of. */
const onColumnsOrUndecided = treesOf(fc.oneof({ weight: 4, arbitrary: columnTests }, fc.constant(undecided)))

const ofAuthor = treesOf(fc.oneof(testsOf(columnOf(userModel, 'name')), fc.constant(undecided)))
const ofComment = treesOf(
  fc.oneof(
    testsOf(columnOf(commentModel, 'content')),
    testsOf(columnOf(commentModel, 'spam'), [true, false]),
    fc.constant(undecided),
  ),
)

/** What is asked of the rows behind a relation. */
export const crossings: fc.Arbitrary<Related> = fc
  .oneof(
    ofAuthor.map((condition) => related(relationOf(postModel, 'author'), 'is', condition)),
    fc
      .tuple(fc.constantFrom('some', 'every', 'none'), ofComment)
      .map(([quantifier, condition]) => related(relationOf(postModel, 'comments'), quantifier, condition)),
  )
  .filter((each) => each.kind === 'related')

const acrossRelations = fc.oneof(crossings, fc.constant(absent(relationOf(postModel, 'author'))))

/** On a post and the rows behind its relations; parts of it may be undecided. */
export const conditions: fc.Arbitrary<Condition> = treesOf(fc.oneof(onColumnsOrUndecided, acrossRelations))

function treesOf(leaf: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, constants, joined(tie('tree'))),
  }))
  return tree
}
