import fc from 'fast-check'
import { videoId } from '../../../prisma/seed-rows.ts'
import type { Row, Table } from './example-rules.ts'

/** A column, and the values that statements give it: as SQL, and whether it reads the row. */
interface Setting {
  readonly column: string
  readonly sql: string
  readonly reads?: true
}

interface Condition {
  readonly sql: string
  readonly holds: (row: Row) => boolean
}

/** A statement on one table. */
export interface Statement {
  readonly kind: 'update' | 'delete' | 'insert' | 'merge'
  readonly table: Table
  readonly sql: string
  /** Whether PostgreSQL has to read rows for it; a statement that reads none is not asked what its caller sees. */
  readonly reads: boolean
  /** The rows that it is about; of an INSERT those that it meets. */
  readonly isAbout: (row: Row) => boolean
  /** The columns that it sets. */
  readonly sets: readonly string[]
  /** What an INSERT does with a row that has the key already. */
  readonly onConflict?: 'fail' | 'nothing' | 'update'
  /** The row of an INSERT, as far as rules look at it. */
  readonly row?: Row
}

const text = `gen_random_uuid()::text`
const users = [1, 3, 4, 5].map(String)
const posts = [1, 5, 7, 10].map(String)
const videos = [1, 2, 4].map((number) => `'${videoId(number)}'`)
const times = ['NULL', `'2024-01-01Z'`, `now() + interval '1 day'`]
const each = (column: string, values: readonly string[]): readonly Setting[] => values.map((sql) => ({ column, sql }))
const longer = (column: string): Setting => ({ column, sql: `"${column}" || 'x'`, reads: true })

const settings: Readonly<Record<string, readonly Setting[]>> = {
  User: [...each('name', [text]), ...each('updatedAt', ['now()']), longer('name')],
  Profile: [...each('bio', ['NULL', text]), longer('bio'), ...each('userId', users)],
  Post: [
    ...each('title', [text]),
    ...each('updatedAt', ['now()']),
    ...each('publishedAt', times),
    ...each('deletedAt', ['NULL', 'now()']),
    ...each('authorId', users),
    longer('title'),
    { column: 'slug', sql: '"slug"', reads: true },
  ],
  Tag: [...each('name', [text]), longer('name')],
  Video: [...each('title', [text]), ...each('ownerId', ['NULL', ...users]), longer('title')],
  Comment: [
    ...each('content', [text]),
    ...each('authorId', users),
    ...each('postId', posts),
    ...each('videoId', ['NULL', ...videos]),
    longer('content'),
  ],
}

const owner: Readonly<Record<string, string>> = {
  Profile: 'userId',
  Post: 'authorId',
  Video: 'ownerId',
  Comment: 'authorId',
}

const conditionsOf = (table: string): readonly Condition[] => {
  const column = owner[table]
  const ids = table === 'Video' ? [1, 2, 4].map(videoId) : [1, 3, 5, 7, 10]
  const ofKey = ids.map((id) => ({ sql: `"id" = '${id}'`, holds: (row: Row) => row.id === id }))
  if (column === undefined) return ofKey
  const byOwner = [3, 4, 5].map((id) => ({ sql: `"${column}" = ${id}`, holds: (row: Row) => row[column] === id }))
  return [...ofKey, ...byOwner]
}

const tables = Object.keys(settings) as Table[]
const table = fc.constantFrom<Table>('Post', 'Post', 'Post', ...tables)
/** Half of all statements say nothing of which rows they are about. */
const conditionOf = (of: Table) => fc.option(fc.constantFrom(...conditionsOf(of)), { freq: 1 })
const returning = fc.constantFrom('', '', ' RETURNING *')

const update = table.chain((of) =>
  fc
    .record({
      set: fc.uniqueArray(fc.constantFrom(...(settings[of] as readonly Setting[])), {
        minLength: 1,
        maxLength: 2,
        selector: ({ column }) => column,
      }),
      condition: conditionOf(of),
      back: returning,
      isMerge: fc.integer({ max: 5 }).map((n) => n === 0),
    })
    .map(({ set, condition, back, isMerge }): Statement => {
      const sets = set.map(({ column, sql }) => `"${column}" = ${sql}`).join(', ')
      const about = { table: of, isAbout: condition?.holds ?? (() => true), sets: set.map(({ column }) => column) }
      const readsRow = set.some(({ reads }) => reads === true)
      if (isMerge && !readsRow) {
        const on = condition ? `t.${condition.sql}` : 'true'
        const sql = `MERGE INTO "${of}" t USING (SELECT 1) s ON ${on} WHEN MATCHED THEN UPDATE SET ${sets}`
        return { kind: 'merge', sql, reads: condition !== null, ...about }
      }
      const where = condition ? ` WHERE ${condition.sql}` : ''
      const reads = condition !== null || back !== '' || readsRow
      return { kind: 'update', sql: `UPDATE "${of}" SET ${sets}${where}${back}`, reads, ...about }
    }),
)

const joins = ['_PostToTag', '_TagToVideo'] as const
const joined = fc.constantFrom<Table>(...joins)
const deletion = fc.oneof({ arbitrary: table, weight: 2 }, { arbitrary: joined, weight: 1 }).chain((of) =>
  fc
    .record({ condition: of.startsWith('_') ? fc.constant(null) : conditionOf(of), back: returning })
    .map(({ condition, back }): Statement => {
      const sql = `DELETE FROM "${of}"${condition ? ` WHERE ${condition.sql}` : ''}${back}`
      const reads = condition !== null || back !== ''
      return { kind: 'delete', table: of, sql, reads, isAbout: condition?.holds ?? (() => true), sets: [] }
    }),
)

const conflicts = {
  fail: '',
  nothing: ' ON CONFLICT DO NOTHING',
  update: ' ON CONFLICT ("id") DO UPDATE SET "title" = excluded."title"',
} as const

/** Of a post that may be there already, hidden or not. */
const postInsert = fc
  .record({
    id: fc.constantFrom(1, 5, 7, 10, 900),
    authorId: fc.constantFrom(3, 4),
    publishedAt: fc.constantFrom(null, '2024-01-01T00:00:00Z'),
    onConflict: fc.constantFrom('fail' as const, 'nothing' as const, 'update' as const),
    back: returning,
  })
  .map(({ id, authorId, publishedAt, onConflict, back }): Statement => {
    const at = publishedAt === null ? 'NULL' : `'${publishedAt}'`
    const values = `${id}, ${text}, ${text}, 'A text', ${at}, ${authorId}, now()`
    return {
      kind: 'insert',
      table: 'Post',
      sql: `INSERT INTO "Post" ("id", "title", "slug", "content", "publishedAt", "authorId", "updatedAt") VALUES (${values})${conflicts[onConflict]}${back}`,
      reads: back !== '',
      isAbout: (row) => row.id === id,
      sets: ['title'],
      onConflict,
      row: { id, authorId, publishedAt, deletedAt: null },
    }
  })

const tagInsert = fc.constant<Statement>({
  kind: 'insert',
  table: 'Tag',
  sql: `INSERT INTO "Tag" ("name") VALUES (${text})`,
  reads: false,
  isAbout: () => false,
  sets: [],
  onConflict: 'fail',
  row: {},
})

const joinInsert = joined.chain((of) => {
  const [as, bs] = of === '_PostToTag' ? [posts, users] : [users, videos]
  return fc.record({ A: fc.constantFrom(...as), B: fc.constantFrom(...bs) }).map(
    ({ A, B }): Statement => ({
      kind: 'insert',
      table: of,
      sql: `INSERT INTO "${of}" ("A", "B") VALUES (${A}, ${B}) ON CONFLICT DO NOTHING`,
      reads: false,
      isAbout: (row) => String(row.A) === unquoted(A) && String(row.B) === unquoted(B),
      sets: [],
      onConflict: 'nothing',
      row: { A: unquoted(A), B: unquoted(B) },
    }),
  )
})

const unquoted = (sql: string): string => sql.replaceAll(`'`, '')

/** A random statement, most of them updates; half of all name no row. */
export const statement: fc.Arbitrary<Statement> = fc.oneof(
  { arbitrary: update, weight: 6 },
  { arbitrary: deletion, weight: 2 },
  { arbitrary: postInsert, weight: 2 },
  { arbitrary: tagInsert, weight: 1 },
  { arbitrary: joinInsert, weight: 2 },
)
