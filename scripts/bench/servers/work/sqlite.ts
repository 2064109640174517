import Sqlite from 'better-sqlite3'
import type { Asked } from '../asked.ts'
import { counting, database } from '../process.ts'
import { many, one, type Related, type Row, shownOf } from '../texts.ts'
import type { Sent, Work, Written } from './work.ts'

// By hand on SQLite: prepared statements of better-sqlite3, strings. With `barrier`, the requests of one turn of the event loop are
// read and answered together.

const hasBarrier = process.argv.includes('barrier')
export const queries = counting()
const db = new Sqlite(database(), queries.isOn ? { verbose: () => queries.add() } : {})

const postColumns = 'id, title, slug, content, synopsis, publishedAt, createdAt, updatedAt, authorId'
const order = 'order by createdAt desc, id desc'
const prepare = (sql: string) => db.prepare(sql).raw()
const statements = {
  byId: prepare(`select ${postColumns} from Post where id = ?`),
  page: prepare(`select ${postColumns} from Post ${order} limit ? offset ?`),
  byAuthor: prepare(`select ${postColumns} from Post where authorId = ? ${order} limit ? offset ?`),
  anchor: prepare('select createdAt from Post where id = ?'),
  following: prepare(
    `select ${postColumns} from Post where createdAt <= ? and not (createdAt = ? and id >= ?) ${order} limit ?`,
  ),
  count: prepare('select count(*) from Post'),
  authors: prepare(
    'select id, name, email, role, createdAt, updatedAt from User where id in (select value from json_each(?))',
  ),
  tags: prepare(
    'select l.A, t.id, t.name from _PostToTag l join Tag t on t.id = l.B where l.A in (select value from json_each(?)) order by t.id',
  ),
  user: prepare('select id, name, email, role from User where id = ?'),
  insert: prepare(
    `insert into Post (title, slug, content, authorId, createdAt, updatedAt) values (?, ?, ?, ?, ?, ?) returning ${postColumns}`,
  ),
  update: prepare(`update Post set title = coalesce(?, title), updatedAt = ? where id = ? returning ${postColumns}`),
}

function read(asked: Asked): string {
  if (asked.id !== null) return one(asked.base, statements.byId.get(asked.id) as Row)
  const total = asked.base === 'totals' ? ((statements.count.get() as Row)[0] as number) : null
  const found = { posts: readPage(asked), total }
  return many(asked, found, asked.isIncluding ? readRelated(shownOf(asked, found)) : null)
}

function readPage({ base, after, author, number, size }: Asked): readonly Row[] {
  if (base === 'cursor') {
    const [createdAt] = statements.anchor.get(after) as Row
    return statements.following.all(createdAt, createdAt, after, size + 1) as Row[]
  }
  const offset = (number - 1) * size
  if (author === null) return statements.page.all(size + 1, offset) as Row[]
  return statements.byAuthor.all(author, size + 1, offset) as Row[]
}

function readRelated(rows: readonly Row[]): Related {
  const authorIds = [...new Set(rows.map((row) => row[8]))]
  return {
    authors: statements.authors.all(JSON.stringify(authorIds)) as Row[],
    tags: statements.tags.all(JSON.stringify(rows.map(([id]) => id))) as Row[],
  }
}

const stored = (): string => new Date().toISOString().replace('Z', '+00:00')

function change({ id }: Asked, { attributes, relationships }: Sent): Written {
  const now = stored()
  const { title, slug, content } = attributes
  const row = (
    id === null
      ? statements.insert.get(title, slug, content, Number(relationships.author.data.id), now, now)
      : statements.update.get(title, now, id)
  ) as Row
  return { id: row[0] as number, document: one('bench', row) }
}

function user(id: number): unknown {
  const found = statements.user.get(id)
  if (!found) throw new Error(`No user has the id ${id}.`)
  return found
}

// One promise for all requests of a turn.
let turn: Promise<void> | null = null
const endOfTurn = (): Promise<void> => {
  turn ??= new Promise((resolve) =>
    setImmediate(() => {
      turn = null
      resolve()
    }),
  )
  return turn
}

const inTurn = async (asked: Asked): Promise<string> => {
  await endOfTurn()
  return read(asked)
}

export const work: Work = { read: hasBarrier ? inTurn : read, change, user }
