import type { IncomingMessage, ServerResponse } from 'node:http'
import Sqlite from 'better-sqlite3'
import { type Asked, headOf, readUrl } from './asked.ts'
import { counting, database, listen, origin } from './process.ts'

// The limit: node:http, prepared statements of better-sqlite3, strings. With `barrier`, the requests of one turn of the
// event loop are read and answered together.

const hasBarrier = process.argv[3] === 'barrier'
const queries = counting()
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
  insert: prepare(
    `insert into Post (title, slug, content, authorId, createdAt, updatedAt) values (?, ?, ?, ?, ?, ?) returning ${postColumns}`,
  ),
  update: prepare(`update Post set title = coalesce(?, title), updatedAt = ? where id = ? returning ${postColumns}`),
}

type Row = readonly (string | number | null)[]

/** How a date is stored, as documents show it. */
function date(stored: unknown): string {
  if (stored === null) return 'null'
  return typeof stored === 'number' ? `"${new Date(stored).toISOString()}"` : `"${(stored as string).slice(0, 23)}Z"`
}
const relationship = (self: string, name: string, data = ''): string =>
  `"${name}":{"links":{"self":"${self}/relationships/${name}","related":"${self}/${name}"}${data}}`

function post(base: string, row: Row, author = '', tags = ''): string {
  const [id, title, slug, content, synopsis, publishedAt, createdAt, updatedAt] = row
  const self = `${origin}/api/${base}/posts/${id}`
  return `{"type":"posts","id":"${id}","attributes":{"title":${JSON.stringify(title)},"slug":${JSON.stringify(slug)},"content":${JSON.stringify(content)},"synopsis":${JSON.stringify(synopsis)},"publishedAt":${date(publishedAt)},"createdAt":${date(createdAt)},"updatedAt":${date(updatedAt)}},"relationships":{${relationship(self, 'author', author)},${relationship(self, 'tags', tags)},${relationship(self, 'comments')}},"links":{"self":"${self}"}}`
}

function user(base: string, [id, name, email, role, createdAt, updatedAt]: Row): string {
  const self = `${origin}/api/${base}/users/${id}`
  const relations = ['posts', 'comments', 'videos', 'profile'].map((each) => relationship(self, each)).join()
  return `{"type":"users","id":"${id}","attributes":{"name":${JSON.stringify(name)},"email":${JSON.stringify(email)},"role":"${role}","createdAt":${date(createdAt)},"updatedAt":${date(updatedAt)}},"relationships":{${relations}},"links":{"self":"${self}"}}`
}

function tag(base: string, id: unknown, name: unknown): string {
  const self = `${origin}/api/${base}/tags/${id}`
  const relations = ['posts', 'videos'].map((each) => relationship(self, each)).join()
  return `{"type":"tags","id":"${id}","attributes":{"name":${JSON.stringify(name)}},"relationships":{${relations}},"links":{"self":"${self}"}}`
}

const one = (base: string, row: Row): string =>
  `{"jsonapi":{"version":"1.0"},"links":{"self":"${origin}/api/${base}/posts/${row[0]}"},"data":${post(base, row)}}`

function read(asked: Asked): string {
  if (asked.id !== null) return one(asked.base, statements.byId.get(asked.id) as Row)
  const found = readPage(asked)
  const rows = found.slice(0, asked.size)
  const total = asked.base === 'totals' ? ((statements.count.get() as Row)[0] as number) : null
  const ids = rows.map(([id]) => id as number)
  const { links, page } = headOf(asked, { ids, hasMore: found.length > asked.size, total })
  const head = `{"jsonapi":{"version":"1.0"},"links":${JSON.stringify(links)},"meta":{"page":${JSON.stringify(page)}},"data":[`
  if (!asked.isIncluding) return `${head}${rows.map((row) => post(asked.base, row)).join()}]}`
  return head + withRelated(asked.base, rows, ids)
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

function withRelated(base: string, rows: readonly Row[], ids: readonly number[]): string {
  const authorIds = JSON.stringify([...new Set(rows.map((row) => row[8]))])
  const authors = new Map((statements.authors.all(authorIds) as Row[]).map((row) => [row[0], row]))
  const tags = new Map<unknown, Row[]>()
  for (const row of statements.tags.all(JSON.stringify(ids)) as Row[]) {
    const of = tags.get(row[0])
    if (of) of.push(row)
    else tags.set(row[0], [row])
  }
  const included = new Map<string, string>()
  const data = rows.map((row) => {
    const author = authors.get(row[8] ?? null) as Row
    if (!included.has(`u${author[0]}`)) included.set(`u${author[0]}`, user(base, author))
    const own = tags.get(row[0]) ?? []
    for (const [, id, name] of own) if (!included.has(`t${id}`)) included.set(`t${id}`, tag(base, id, name))
    const linkage = own.map(([, id]) => `{"type":"tags","id":"${id}"}`).join()
    return post(base, row, `,"data":{"type":"users","id":"${author[0]}"}`, `,"data":[${linkage}]`)
  })
  return `${data.join()}],"included":[${[...included.values()].join()}]}`
}

const stored = (): string => new Date().toISOString().replace('Z', '+00:00')

function change(asked: Asked, body: string): Row {
  const { attributes, relationships } = JSON.parse(body).data
  const now = stored()
  if (asked.id !== null) return statements.update.get(attributes.title, now, asked.id) as Row
  const { title, slug, content } = attributes
  return statements.insert.get(title, slug, content, Number(relationships.author.data.id), now, now) as Row
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

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = readUrl(request.url ?? '')
  if (request.method === 'GET') {
    if (hasBarrier) await endOfTurn()
    return end(response, 200, read(asked))
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const row = change(asked, Buffer.concat(chunks).toString())
  if (asked.id === null) response.setHeader('Location', `${origin}/api/bench/posts/${row[0]}`)
  end(response, asked.id === null ? 201 : 200, one('bench', row))
}

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/vnd.api+json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

listen((request, response) => void handle(request, response), queries)
