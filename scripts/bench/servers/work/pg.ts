import pg from 'pg'
import type { Asked } from '../asked.ts'
import { counting, database } from '../process.ts'
import { many, one, type Related, type Row, shownOf } from '../texts.ts'
import type { Sent, Work, Written } from './work.ts'

// By hand on PostgreSQL: prepared statements of pg, strings. Statements that do not need each other run at the same time.

export const queries = counting()
const pool = new pg.Pool({ connectionString: database(), options: '-c TimeZone=UTC', max: 10 })

const integer = 23
const instant = 1184

/** As documents show instants: `2100-01-01 00:00:00.5+00` has no T, and no zeros at its end. */
const isoText = (text: string): string => `${text.slice(0, 10)}T${text.slice(11, -3).padEnd(9, '.').padEnd(12, '0')}`

const parsers: Readonly<Record<number, (text: string) => unknown>> = { [integer]: Number, [instant]: isoText }
const types = { getTypeParser: (oid: number) => parsers[oid] ?? ((text: string) => text) }

let prepared = 0
function prepare(text: string): (...values: unknown[]) => Promise<Row[]> {
  const name = `s${prepared++}`
  return async (...values) => {
    if (queries.isOn) queries.add()
    return (await pool.query({ name, text, values, rowMode: 'array', types: types as never })).rows
  }
}

const postColumns = '"id", "title", "slug", "content", "synopsis", "publishedAt", "createdAt", "updatedAt", "authorId"'
const order = 'order by "createdAt" desc, "id" desc'
const statements = {
  byId: prepare(`select ${postColumns} from "Post" where "id" = $1`),
  page: prepare(`select ${postColumns} from "Post" ${order} limit $1 offset $2`),
  byAuthor: prepare(`select ${postColumns} from "Post" where "authorId" = $1 ${order} limit $2 offset $3`),
  following: prepare(
    `select ${postColumns} from "Post" where ("createdAt", "id") < (select "createdAt", "id" from "Post" where "id" = $1) ${order} limit $2`,
  ),
  count: prepare('select count(*)::int from "Post"'),
  authors: prepare('select "id", "name", "email", "role", "createdAt", "updatedAt" from "User" where "id" = any($1)'),
  tags: prepare(
    'select l."A", t."id", t."name" from "_PostToTag" l join "Tag" t on t."id" = l."B" where l."A" = any($1) order by t."id"',
  ),
  user: prepare('select "id", "name", "email", "role" from "User" where "id" = $1'),
  insert: prepare(
    `insert into "Post" ("title", "slug", "content", "authorId", "createdAt", "updatedAt") values ($1, $2, $3, $4, $5, $5) returning ${postColumns}`,
  ),
  update: prepare(
    `update "Post" set "title" = coalesce($1, "title"), "updatedAt" = $2 where "id" = $3 returning ${postColumns}`,
  ),
}

async function read(asked: Asked): Promise<string> {
  if (asked.id !== null) {
    const [row] = await statements.byId(asked.id)
    return one(asked.base, row as Row)
  }
  const [posts, count] = await Promise.all([readPage(asked), asked.base === 'totals' ? statements.count() : null])
  const found = { posts, total: count && (count[0]?.[0] as number) }
  return many(asked, found, asked.isIncluding ? await readRelated(shownOf(asked, found)) : null)
}

function readPage({ base, after, author, number, size }: Asked): Promise<readonly Row[]> {
  if (base === 'cursor') return statements.following(after, size + 1)
  const offset = (number - 1) * size
  return author === null ? statements.page(size + 1, offset) : statements.byAuthor(author, size + 1, offset)
}

async function readRelated(rows: readonly Row[]): Promise<Related> {
  const [authors, tags] = await Promise.all([
    statements.authors([...new Set(rows.map((row) => row[8]))]),
    statements.tags(rows.map(([id]) => id)),
  ])
  return { authors, tags }
}

async function change({ id }: Asked, { attributes, relationships }: Sent): Promise<Written> {
  const { title, slug, content } = attributes
  const now = new Date().toISOString()
  const [row] = await (id === null
    ? statements.insert(title, slug, content, Number(relationships.author.data.id), now)
    : statements.update(title, now, id))
  return { id: row?.[0] as number, document: one('bench', row as Row) }
}

async function user(id: number): Promise<unknown> {
  const [found] = await statements.user(id)
  if (!found) throw new Error(`No user has the id ${id}.`)
  return found
}

await pool.query('select 1')
export const work: Work = { read, change, user }
