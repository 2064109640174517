import { liveMigration } from '@prismapi/live/triggers/live-migration'
import { Policy, type Rules, Schema, type Server } from 'prismapi'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EventStream, openEvents, type ServerEvent } from '../event-stream.ts'
import { atomic } from '../operations.ts'
import type { FixtureProvider } from './fixtures.ts'
import { to, toOne, useFixture } from './use-fixture.ts'

// Keys that differ in JavaScript, and are one for the database: "ANN" is "ann".

const models = `
model User {
  id         String       @id // postgresql:   id String @id @db.Citext
  name       String
  posts      Post[]
  desk       Desk?
  boss       User?        @relation("boss", fields: [bossId], references: [id])
  bossId     String? // postgresql:   bossId String? @db.Citext
  staff      User[]       @relation("boss")
  tags       Tag[]
  membership Membership[]
}

model Post {
  id       Int    @id @default(autoincrement())
  title    String
  author   User   @relation(fields: [authorId], references: [id])
  authorId String // postgresql:   authorId String @db.Citext
}

model Desk {
  id     Int     @id @default(autoincrement())
  user   User?   @relation(fields: [userId], references: [id])
  userId String? @unique // postgresql:   userId String? @unique @db.Citext
}

model Tag {
  id    String  @id // postgresql:   id String @id @db.Citext
  label String? @unique // postgresql:   label String? @unique @db.Citext
  users User[]
}

model Club {
  id         String       @id // postgresql:   id String @id @db.Citext
  membership Membership[]
}

model Membership {
  user   User   @relation(fields: [userId], references: [id])
  userId String // postgresql:   userId String @db.Citext
  club   Club   @relation(fields: [clubId], references: [id])
  clubId String // postgresql:   clubId String @db.Citext
  role   String @default("member")

  @@id([userId, clubId])
}
`

const key = 'TEXT COLLATE NOCASE'
/** Prisma has no words for the collation. */
const withoutCase = `
  PRAGMA foreign_keys = off;
  DROP TABLE "_TagToUser"; DROP TABLE "Membership"; DROP TABLE "Desk"; DROP TABLE "Post"; DROP TABLE "User"; DROP TABLE "Tag"; DROP TABLE "Club";
  CREATE TABLE "User" ("id" ${key} NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "bossId" ${key} REFERENCES "User" ("id"));
  CREATE TABLE "Post" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "title" TEXT NOT NULL, "authorId" ${key} NOT NULL REFERENCES "User" ("id"));
  CREATE TABLE "Desk" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "userId" ${key} UNIQUE REFERENCES "User" ("id"));
  CREATE TABLE "Tag" ("id" ${key} NOT NULL PRIMARY KEY, "label" ${key} UNIQUE);
  CREATE TABLE "Club" ("id" ${key} NOT NULL PRIMARY KEY);
  CREATE TABLE "Membership" (
    "userId" ${key} NOT NULL REFERENCES "User" ("id"), "clubId" ${key} NOT NULL REFERENCES "Club" ("id"),
    "role" TEXT NOT NULL DEFAULT 'member', PRIMARY KEY ("userId", "clubId")
  );
  CREATE TABLE "_TagToUser" (
    "A" ${key} NOT NULL REFERENCES "Tag" ("id"), "B" ${key} NOT NULL REFERENCES "User" ("id"), PRIMARY KEY ("A", "B")
  );
`

/** What others have written, who spell keys as they like. */
const rows = `
  DELETE FROM "_TagToUser"; DELETE FROM "Membership"; DELETE FROM "Desk"; DELETE FROM "Post";
  UPDATE "User" SET "bossId" = NULL; DELETE FROM "User"; DELETE FROM "Tag"; DELETE FROM "Club";
  INSERT INTO "User" ("id", "name") VALUES ('ann', 'Ann'), ('Ben', 'Ben');
  UPDATE "User" SET "bossId" = 'ANN' WHERE "name" = 'Ben';
  INSERT INTO "Post" ("id", "title", "authorId") VALUES (101, 'a', 'ann'), (102, 'b', 'ANN'), (103, 'c', 'Ann'), (104, 'd', 'BEN');
  INSERT INTO "Desk" ("id", "userId") VALUES (1, 'ANN'), (2, NULL);
  INSERT INTO "Tag" ("id") VALUES ('red'), ('blue');
  INSERT INTO "_TagToUser" ("A", "B") VALUES ('RED', 'ANN'), ('blue', 'ben');
  INSERT INTO "Club" ("id") VALUES ('go'), ('chess');
  INSERT INTO "Membership" ("userId", "clubId") VALUES ('ANN', 'GO'), ('ann', 'Chess');
`

class Counted extends Schema<never> {
  override fields() {
    const of = (name: string) => this.relation(name as never)
    return [of('posts').countable(), of('tags').countable(), of('clubs').countable()]
  }
}

class Grouped extends Schema<never> {
  override fields() {
    return [this.relation('author' as never).groupable()]
  }
}

class Named extends Policy {
  override abilities({ can, cannot }: Rules) {
    can('manage' as never)
    cannot('delete' as never, { authorId: 'ANN' } as never)
  }
}

class Own extends Policy {
  override abilities({ can }: Rules) {
    can(['viewAny', 'view'] as never)
    can('update' as never, { authorId: 'ANN' } as never)
  }
}

function judgesAsTheDatabaseDoes(provider: FixtureProvider): void {
  describe.each([
    ['may', Own, 'PATCH', 200, 403],
    ['may not', Named, 'DELETE', 403, 204],
  ] as const)('what a rule about a key says that somebody %s', (_, policy, method, ofAnn, ofBen) => {
    const api = useFixture(models, { provider, policies: { Post: policy as never }, models: ['Post'] })
    beforeAll(async () => {
      if (provider === 'sqlite') await api.execute(withoutCase)
    })
    beforeEach(() => api.execute(rows))

    test('holds for each spelling of it', async () => {
      const statuses = []
      for (const id of ['101', '102', '103', '104'])
        statuses.push(
          (await api.ask(method, `/posts/${id}`, method === 'PATCH' ? { data: { type: 'posts', id } } : undefined))
            .status,
        )
      expect(statuses).toEqual([ofAnn, ofAnn, ofAnn, ofBen])
    })
  })
}

const change = `
/// @hidden
model Change {
  id          BigInt   @id @default(autoincrement())
  transaction BigInt   @default(0)
  at          DateTime // postgresql:   at DateTime @db.Timestamptz(3)
  model       String
  key         String
  action      String
  before      Json?
  after       Json?
  request     String?
  user        String?
}

model Paper {
  id    String @id // postgresql:   id String @id @db.Uuid
  title String
}
`

const uuid = '0b1c2d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e'

/** What a resource, or those of a collection, become is told to a stream whatever spelling was asked for. */
function tellsAsTheDatabaseDoes(provider: FixtureProvider): void {
  const api = useFixture(models + change, { provider, live: true })
  const streams: EventStream[] = []
  beforeAll(async () => {
    if (provider === 'sqlite') await api.execute(withoutCase)
    await api.execute(liveMigration(api.resources))
  })
  beforeEach(() => api.execute(`${rows} DELETE FROM "Paper"; INSERT INTO "Paper" VALUES ('${uuid}', 'First');`))
  afterEach(async () => {
    for (const stream of streams.splice(0)) await stream.close()
  })

  async function open(path: string, first: unknown) {
    const stream = await openEvents(api.url(path))
    streams.push(stream)
    const { event, data } = await stream.next()
    expect([stream.status, event, idsIn(data)]).toEqual([200, 'snapshot', first])
    return stream
  }
  const idsIn = ({ data }: ServerEvent['data']) =>
    Array.isArray(data) ? data.map(({ id }: { id: string }) => id) : (data?.id ?? null)
  /** `upsert ann`, in the order in which they are told. */
  const told = async (stream: EventStream, count: number) => {
    const events = []
    for (let i = 0; i < count; i++) events.push(await stream.next())
    return events.map(({ event, data }) => `${event} ${idsIn(data)}`)
  }
  const patch = (path: string, id: string, attributes: object) =>
    api.ask('PATCH', path, { data: { type: path.split('/')[1], id, attributes } })

  describe('a stream', () => {
    test('of a resource in another spelling', async () => {
      const stream = await open('/users/ANN', 'ann')
      expect((await patch('/users/Ann', 'Ann', { name: 'A' })).status).toBe(200)
      expect(await told(stream, 1)).toEqual(['upsert ann'])
      await api.execute(`UPDATE "User" SET "name" = 'B' WHERE "id" = 'aNN'`)
      expect(await told(stream, 1)).toEqual(['upsert ann'])
    })

    test('of a resource that is spelt in another way later', async () => {
      const stream = await open('/tags/RED', 'red')
      const all = await open('/tags?sort=id', ['blue', 'red'])
      await api.execute(`DELETE FROM "_TagToUser"; UPDATE "Tag" SET "id" = 'Red' WHERE "id" = 'red'`)
      expect(await told(stream, 2)).toEqual(['remove red', 'upsert Red'])
      expect((await told(all, 2)).toSorted()).toEqual(['remove red', 'upsert Red'])
      await api.execute(`UPDATE "Tag" SET "label" = 'one' WHERE "id" = 'RED'`)
      expect(await told(stream, 1)).toEqual(['upsert Red'])
      expect(await told(all, 1)).toEqual(['upsert Red'])
    })

    test('of a resource that is removed, and comes back in another spelling', async () => {
      const stream = await open('/tags/red', 'red')
      await api.execute(`DELETE FROM "_TagToUser"; DELETE FROM "Tag" WHERE "id" = 'red'`)
      expect(await told(stream, 1)).toEqual(['remove red'])
      await api.execute(`INSERT INTO "Tag" ("id") VALUES ('RED')`)
      expect(await told(stream, 1)).toEqual(['upsert RED'])
    })

    test('of a value that changes its spelling alone', async () => {
      const stream = await open('/tags?sort=id', ['blue', 'red'])
      for (const label of ['one', 'ONE', 'One']) {
        await api.execute(`UPDATE "Tag" SET "label" = '${label}' WHERE "id" = 'red'`)
        const { event, data } = await stream.next()
        expect([event, data.data]).toMatchObject(['upsert', { id: 'red', attributes: { label } }])
      }
    })

    test('of what a resource in another spelling is related to', async () => {
      const posts = await open('/users/ANN/posts?sort=id', ['101', '102', '103'])
      const included = await open('/posts/102?include=author', '102')
      await api.execute(`UPDATE "Post" SET "authorId" = 'aNN' WHERE "id" = 104`)
      expect(await told(posts, 1)).toEqual(['upsert 104'])
      expect((await patch('/users/ANN', 'ann', { name: 'Renamed' })).status).toBe(200)
      const { data } = await included.next()
      expect([data.data.id, data.included.map(({ attributes }: { attributes: object }) => attributes)]).toEqual([
        '102',
        [{ name: 'Renamed' }],
      ])
    })

    test('of a resource whose id has several parts', async () => {
      const stream = await open('/memberships/ann_go', 'ANN_GO')
      expect((await patch('/memberships/Ann_Go', 'Ann_Go', { role: 'chair' })).status).toBe(200)
      expect(await told(stream, 1)).toEqual(['upsert ANN_GO'])
    })

    test('of a number or an identifier in another spelling is what GET answers there', async () => {
      for (const [path, id, sql] of [
        ['/posts/0101', '101', `UPDATE "Post" SET "title" = 'z' WHERE "id" = 101`],
        [`/papers/${uuid.toUpperCase()}`, uuid, `UPDATE "Paper" SET "title" = 'Second'`],
      ] as const) {
        const { status } = await api.ask('GET', path)
        const { status: streamed } = await openEvents(api.url(path)).then(async (stream) => {
          await stream.close()
          return stream
        })
        expect([path, streamed]).toEqual([path, status])
        if (status !== 200) continue
        const stream = await open(path, id)
        await api.execute(sql)
        expect(await told(stream, 1)).toEqual([`upsert ${id}`])
      }
    })
  })
}

export function takesKeysAsTheDatabaseDoes(provider: FixtureProvider): void {
  judgesAsTheDatabaseDoes(provider)
  tellsAsTheDatabaseDoes(provider)
  describe.each(['auto', 'prisma'] as const)('read by %s', (reads) => takesKeys(provider, reads))
}

function takesKeys(provider: FixtureProvider, reads: Server['reads']): void {
  const api = useFixture(models, {
    ...{ provider, reads, version: '1.1' },
    schemas: { User: Counted as never, Post: Grouped as never },
  })

  beforeAll(async () => {
    if (provider === 'sqlite') await api.execute(withoutCase)
  })
  beforeEach(() => api.execute(rows))

  const get = async (url: string) => {
    const { status, body } = await api.ask('GET', url)
    return { status, ...body }
  }
  const ann = toOne('users', 'ann').data
  const ben = toOne('users', 'Ben').data
  const posts = (...ids: string[]) => to('posts', ...ids).data

  describe('what is included', () => {
    test('to one', async () => {
      const { data, included } = await get('/posts?include=author&sort=id&fields[users]=name')
      expect(data.map((post: never) => (post as { relationships: object }).relationships)).toEqual(
        [ann, ann, ann, ben].map((author) => ({ author: expect.objectContaining({ data: author }) })),
      )
      expect(included.map(({ id }: { id: string }) => id).sort()).toEqual(['Ben', 'ann'])
    })

    test('of a single resource, and over two', async () => {
      const { data, included } = await get('/posts/104?include=author.boss')
      expect([data.relationships.author.data, included.map(({ id }: { id: string }) => id)]).toEqual([
        ben,
        ['Ben', 'ann'],
      ])
    })

    test('to many, with the numbers of them', async () => {
      const { data } = await get('/users?include=posts,tags,clubs,staff,desk&withCount=posts,tags,clubs&sort=name')
      const linkages = data.map(
        ({ relationships }: { relationships: Record<string, { data: unknown; meta?: object }> }) =>
          ['posts', 'tags', 'clubs', 'staff', 'desk'].map((name) => relationships[name]?.data),
      )
      expect(linkages).toEqual([
        [
          posts('101', '102', '103'),
          to('tags', 'red').data,
          to('clubs', 'chess', 'go').data.map((each) => ({ ...each, meta: { role: 'member' } })),
          [ben],
          toOne('desks', '1').data,
        ],
        [posts('104'), to('tags', 'blue').data, [], [], null],
      ])
      const counts = data.map(({ relationships }: { relationships: Record<string, { meta?: { count: number } }> }) =>
        ['posts', 'tags', 'clubs'].map((name) => relationships[name]?.meta?.count),
      )
      expect(counts).toEqual([
        [3, 1, 2],
        [1, 1, 0],
      ])
    })

    test('no more of each than it shows', async () => {
      const { data } = await get('/users?include=posts&includePage[posts][size]=2&sort=name')
      const shown = data.map(
        ({ relationships }: { relationships: { posts: { data: object[] } } }) => relationships.posts.data,
      )
      expect(shown).toEqual([posts('101', '102'), posts('104')])
    })
  })

  describe('another spelling of an id names the same resource, which is shown as it is spelt', () => {
    test('in a URL', async () => {
      const { status, data, links } = await get('/users/ANN')
      expect([status, data.id, data.links?.self ?? links?.self]).toEqual([
        200,
        'ann',
        expect.stringMatching(/\/users\/ann$/),
      ])
      expect((await get('/users/ANN/posts?sort=id')).data.map(({ id }: { id: string }) => id)).toEqual([
        '101',
        '102',
        '103',
      ])
      expect((await get('/users/ANN/relationships/posts?sort=id')).data).toEqual(posts('101', '102', '103'))
      expect((await get('/users/ANN/clubs?sort=id')).data.map(({ id }: { id: string }) => id)).toEqual(['chess', 'go'])
      expect((await get('/users/ANN/relationships/tags')).data).toEqual(to('tags', 'red').data)
    })

    test('in URLs that are asked at the same time', async () => {
      const asked = await Promise.all(['ANN', 'ann', 'Ann', 'ben', 'none'].map((id) => get(`/users/${id}`)))
      expect(asked.map(({ status, data }) => data?.id ?? status)).toEqual(['ann', 'ann', 'ann', 'Ben', 404])
    })

    test('in a filter, of the resource and of what it is related to', async () => {
      const ids = async (url: string) => (await get(url)).data.map(({ id }: { id: string }) => id)
      expect(await ids('/users?filter[id]=ANN')).toEqual(['ann'])
      expect(await ids('/users?filter[id]=ANN,ben&sort=name')).toEqual(['ann', 'Ben'])
      expect(await ids('/posts?filter[author.id]=aNN&sort=id')).toEqual(['101', '102', '103'])
      expect(await ids('/posts?filter[author]=aNN&sort=id').catch(() => null)).toEqual(
        await ids('/posts?filter[author]=ann&sort=id').catch(() => null),
      )
    })

    test('in the URL of a PATCH, beside the id as it is shown', async () => {
      for (const id of ['ANN', 'ann', 'Ann']) {
        const { status, body } = await api.ask('PATCH', '/users/ANN', {
          data: { type: 'users', id, attributes: { name: `now ${id}` } },
        })
        expect([id, status, body.data?.id, body.data?.attributes.name]).toEqual([id, 200, 'ann', `now ${id}`])
      }
      const other = await api.ask('PATCH', '/users/ANN', { data: { type: 'users', id: 'ben', attributes: {} } })
      expect(other.status).toBe(409)
      expect((await api.ask('DELETE', '/tags/BLUE')).status).not.toBe(404)
    })

    test('in linkage, which is kept as the resource is spelt', async () => {
      const created = await api.ask('POST', '/posts?include=author', {
        data: { type: 'posts', attributes: { title: 'e' }, relationships: { author: toOne('users', 'ANN') } },
      })
      expect([created.status, created.body.data?.relationships.author.data]).toEqual([201, ann])
      expect((await api.rows('Post')).Post).toContainEqual(expect.objectContaining({ title: 'e', authorId: 'ann' }))
      const changes = [
        await api.ask('PATCH', '/posts/104/relationships/author', toOne('users', 'AnN')),
        await api.ask('PATCH', '/users/BEN/relationships/posts', to('posts', '104')),
        await api.ask('POST', '/users/ANN/relationships/tags', to('tags', 'BLUE', 'Red')),
        await api.ask('POST', '/users/BEN/relationships/clubs', to('clubs', 'GO')),
        await api.ask('POST', '/users/ann/relationships/clubs', to('clubs', 'go')),
        await api.ask('PATCH', '/users/ann/relationships/clubs', to('clubs', 'go', 'chess')),
        await api.ask('DELETE', '/users/ANN/relationships/clubs', to('clubs', 'CHESS')),
      ]
      expect(changes.map(({ status }) => status)).toEqual([200, 200, 204, 204, 204, 200, 204])
      expect((await get('/users/ann/relationships/tags?sort=id')).data).toEqual(to('tags', 'blue', 'red').data)
      const clubs = async (id: string) =>
        (await get(`/users/${id}/clubs?sort=id`)).data.map((each: { id: string }) => each.id)
      expect([await clubs('ann'), await clubs('ben')]).toEqual([['go'], ['go']])
    })

    test('in linkage that names one resource twice', async () => {
      const { status } = await api.ask('PATCH', '/users/ben/relationships/tags', to('tags', 'red', 'RED'))
      expect([status, (await get('/users/Ben/relationships/tags')).data]).toEqual([200, to('tags', 'red').data])
    })

    test('in operations', async () => {
      const response = await fetch(api.url('/operations'), {
        method: 'POST',
        headers: { 'Content-Type': atomic, Accept: atomic },
        body: JSON.stringify({
          'atomic:operations': [
            { op: 'update', data: { type: 'users', id: 'ANN', attributes: { name: 'A' } } },
            { op: 'add', ref: { type: 'users', id: 'BEN', relationship: 'tags' }, data: to('tags', 'RED').data },
          ],
        }),
      })
      const { 'atomic:results': results } = (await response.json()) as { 'atomic:results': { data?: { id: string } }[] }
      expect([response.status, results?.[0]?.data?.id]).toEqual([200, 'ann'])
      expect((await get('/users/Ben/relationships/tags?sort=id')).data).toEqual(to('tags', 'blue', 'red').data)
    })
  })

  test('what is linked already, in whatever spelling, is not changed', async () => {
    const before = await api.rows('Post', 'Desk')
    expect((await api.ask('PATCH', '/users/ann/relationships/posts', to('posts', '101', '102', '103'))).status).toBe(
      200,
    )
    expect((await api.ask('POST', '/users/ann/relationships/posts', to('posts', '102'))).status).toBe(204)
    expect((await api.ask('PATCH', '/users/ann/relationships/desk', toOne('desks', '1'))).status).toBe(200)
    expect(await api.rows('Post', 'Desk')).toEqual(before)
  })

  test('a relation that is a part of the id may be sent back as it is shown', async () => {
    const { data } = await get('/memberships/ann_go?include=user,club')
    const { user, club } = data.relationships
    expect([data.id, user.data, club.data]).toEqual(['ANN_GO', ann, toOne('clubs', 'go').data])
    const relationships = { user: { data: user.data }, club: { data: club.data } }
    const patch = (changed: object) =>
      api.ask('PATCH', '/memberships/ann_go', {
        data: { type: 'memberships', id: 'ANN_GO', relationships: { ...relationships, ...changed } },
      })
    expect([(await patch({})).status, (await patch({ user: toOne('users', 'ben') })).status]).toEqual([200, 403])
  })

  test('groups are of resources', async () => {
    const { meta } = await get('/posts/-stats?groupBy=author')
    const counts = meta.groups.map(({ key, stats }: { key: { author: object }; stats: object }) => [key.author, stats])
    expect(counts).toHaveLength(2)
    expect(counts).toEqual(
      expect.arrayContaining([
        [ann, { '*': { count: 3 } }],
        [ben, { '*': { count: 1 } }],
      ]),
    )
  })

  test('a unique value is written in another spelling, by its own resource alone', async () => {
    const patch = (id: string, name: string) =>
      api.ask('PATCH', `/tags/${id}`, { data: { type: 'tags', id, attributes: { label: name } } })
    expect((await patch('RED', 'Crimson')).status).toBe(200)
    const renamed = await patch('Red', 'CRIMSON')
    expect([renamed.status, renamed.body.data?.id, renamed.body.data?.attributes.label]).toEqual([
      200,
      'red',
      'CRIMSON',
    ])
    const taken = await patch('blue', 'crimson')
    expect([taken.status, taken.body.errors[0].source]).toEqual([422, { pointer: '/data/attributes/label' }])
    expect((await get('/tags?filter[label]=crimsoN')).data.map(({ id }: { id: string }) => id)).toEqual(['red'])
  })

  test('an id keeps its spelling, whatever a PATCH calls it', async () => {
    const document = { data: { type: 'tags', id: 'RED', relationships: { users: to('users', 'ANN') } } }
    expect((await api.ask('PATCH', '/tags/Red', document)).body.data?.id).toBe('red')
    expect((await api.rows('Tag')).Tag).toContainEqual({ id: 'red', label: null })
  })

  test('an id that is taken in another spelling is taken', async () => {
    const { status } = await api.ask('POST', '/tags', { data: { type: 'tags', id: 'RED', attributes: {} } })
    expect(status).toBe(409)
  })
}
