import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { provider } from '../support/database.ts'
import { isGuarded } from '../support/guarded.ts'
import { addPost } from '../support/rows.ts'

// A write tells the row that it has written, and nobody reads that again, unless a trigger may have changed it since.

const api = useApi()

/** After each change of a tag its name has a mark. */
const onSqlite = ['INSERT', 'UPDATE OF name'].map(
  (event, n) => `CREATE TRIGGER marked_${n} AFTER ${event} ON "Tag" WHEN NEW.name NOT LIKE '%!' BEGIN
    UPDATE "Tag" SET name = NEW.name || '!' WHERE id = NEW.id; END`,
)
const onPostgres = [
  `CREATE FUNCTION mark_tag() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE "Tag" SET name = NEW.name || '!' WHERE id = NEW.id; RETURN NULL; END $$`,
  `CREATE TRIGGER marked AFTER INSERT OR UPDATE OF name ON "Tag" FOR EACH ROW WHEN (NEW.name NOT LIKE '%!') EXECUTE FUNCTION mark_tag()`,
  `CREATE FUNCTION early() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.synopsis = 'early'; RETURN NEW; END $$`,
  `CREATE TRIGGER early BEFORE INSERT OR UPDATE ON "Post" FOR EACH ROW EXECUTE FUNCTION early()`,
]
// MariaDB has no single statements, and of a guarded database triggers are the owner's.
const isMeant = !isGuarded && provider !== 'mysql'

beforeAll(async () => {
  if (!isMeant) return
  for (const sql of provider === 'sqlite' ? onSqlite : onPostgres) await api.db.$executeRawUnsafe(sql)
})

const admin = () => api.as(users.admin)
const author = () => api.as(users.member4)
const tag = (name: string, more: object = {}) => ({ body: { data: { type: 'tags', attributes: { name }, ...more } } })
const post = (attributes: object, more: object = {}) => ({ body: { data: { type: 'posts', attributes, ...more } } })

/** How often rows of a table were read once one was written. */
function readsBehindWrite(queries: readonly string[], table: string): number {
  const write = queries.findIndex((sql) => /^(insert|update) /.test(sql))
  expect(write).toBeGreaterThanOrEqual(0)
  return queries.slice(write).filter((sql) => new RegExp(`^select .* from (?:"[^"]+"\\.)?"${table}"`, 's').test(sql))
    .length
}

describe.runIf(isMeant)('a row that was written', () => {
  test('is told by the statement that creates it, with what the database filled', async () => {
    let told: unknown
    const queries = await api.queriesOf(async () => {
      const { status, body } = await author().post('/posts', post({ title: 'Told', slug: 'told', content: 'C' }))
      expect(status).toBe(201)
      told = body
    })
    expect(readsBehindWrite(queries, 'Post')).toBe(0)
    const { body } = await author().get(`/posts/${(told as { data: { id: string } }).data.id}`)
    expect(told).toEqual(body)
    // What a trigger makes of a row before it is written is told, too.
    expect(body.data.attributes.synopsis).toBe(provider === 'postgresql' ? 'early' : null)
  })

  test('is told by the statement that changes it', async () => {
    const { id } = await addPost(api.db, { authorId: users.member4 })
    let told: unknown
    const queries = await api.queriesOf(async () => {
      const { status, body } = await author().patch(`/posts/${id}`, post({ title: 'Told again' }, { id: String(id) }))
      expect(status).toBe(200)
      told = body
    })
    expect(readsBehindWrite(queries, 'Post')).toBe(0)
    expect(told).toEqual((await author().get(`/posts/${id}`)).body)
  })

  test('has the fields and relations that the client asks for', async () => {
    const path = '/posts?include=author&fields[posts]=title,author&fields[users]=name'
    const { status, body } = await author().post(path, post({ title: 'Asked', slug: 'asked', content: 'C' }))
    expect(status).toBe(201)
    const shown = await author().get(`/posts/${body.data.id}${path.slice('/posts'.length)}`)
    expect({ data: body.data, included: body.included }).toEqual({
      data: shown.body.data,
      included: shown.body.included,
    })
  })

  test('is read again where a trigger may have changed it', async () => {
    let id = ''
    const created = await api.queriesOf(async () => {
      const { status, body } = await admin().post('/tags', tag('marked'))
      expect([status, body.data.attributes.name]).toEqual([201, 'marked!'])
      id = body.data.id
    })
    expect(readsBehindWrite(created, 'Tag')).toBe(1)
    const changed = await api.queriesOf(async () => {
      const { status, body } = await admin().patch(`/tags/${id}`, tag('marked again', { id }))
      expect([status, body.data.attributes.name]).toEqual([200, 'marked again!'])
    })
    expect(readsBehindWrite(changed, 'Tag')).toBe(1)
  })
})
