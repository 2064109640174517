import { type Asked, headOf } from './asked.ts'
import { origin } from './process.ts'

// The documents of the servers that show the limit: strings, put together by hand from the values of rows.

/** The values of a row, in the order of its columns. */
export type Row = readonly (string | number | null)[]

/** Of posts: how they are, and how many there are; null where that is not asked for. */
export interface Found {
  /** One more than the page has, if there are more. */
  readonly posts: readonly Row[]
  readonly total: number | null
}

/** What posts include: their authors, and the pairs of a post's id and a tag. */
export interface Related {
  readonly authors: readonly Row[]
  readonly tags: readonly Row[]
}

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

/** The document of one post. */
export const one = (base: string, row: Row): string =>
  `{"jsonapi":{"version":"1.0"},"links":{"self":"${origin}/api/${base}/posts/${row[0]}"},"data":${post(base, row)}}`

/** Those of the posts that the page shows. */
export const shownOf = ({ size }: Asked, { posts }: Found): readonly Row[] => posts.slice(0, size)

/** The document of a page. */
export function many(asked: Asked, found: Found, related: Related | null): string {
  const rows = shownOf(asked, found)
  const ids = rows.map(([id]) => id as number)
  const { links, page } = headOf(asked, { ids, hasMore: found.posts.length > asked.size, total: found.total })
  const head = `{"jsonapi":{"version":"1.0"},"links":${JSON.stringify(links)},"meta":{"page":${JSON.stringify(page)}},"data":[`
  if (!related) return `${head}${rows.map((row) => post(asked.base, row)).join()}]}`
  return head + withRelated(asked.base, rows, related)
}

function withRelated(base: string, rows: readonly Row[], related: Related): string {
  const authors = new Map(related.authors.map((row) => [row[0], row]))
  const tags = new Map<unknown, Row[]>()
  for (const row of related.tags) {
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
