import { anything } from '@prismapi/testing/internal/kit/fuzz/oddities'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import V2 from '../../../src/app/v2/server.ts'
import { openTestDatabase } from '../../support/database.ts'
import { keepAlive } from '../../support/keep-alive.ts'
import { atomic, jsonapi, path } from '../../support/operations.ts'
import { type Database, exampleWith, type Running, startServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

// Anything that JSON can say, and documents that are nearly right: each is done, or refused in good form and undone.

const runs = parseNumber('FC_RUNS', process.env.FC_RUNS, { otherwise: 150 })
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: Date.now() % 2 ** 31, from: 0 })

const mostly = (usual: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: anything })
const type = mostly(fc.constantFrom('posts', 'tags', 'comments', 'videos', 'users'))
const id = mostly(fc.constantFrom('1', '2', '13', '5', '99999', '00000000-0000-4000-8000-000000000001'))
const lid = fc.constantFrom('a', 'b')
const identifier = fc.oneof(fc.record({ type, id: mostly(id) }), fc.record({ type, lid: mostly(lid) }))
const linkage = mostly(fc.oneof(identifier, fc.array(identifier, { maxLength: 3 }), fc.constant(null)))
const slug = fc.constantFrom('post-1', 'post-5', 'fresh-1', 'fresh-2', 'Not A Slug')
const attributes = fc.record(
  {
    title: mostly(fc.string({ unit: 'binary' })),
    slug: mostly(slug),
    body: mostly(fc.string()),
    name: slug,
    content: fc.string(),
  },
  { requiredKeys: [] },
)
const relationships = fc.record(
  Object.fromEntries(
    ['tags', 'author', 'commentable', 'owner'].map((name) => [name, mostly(fc.record({ data: linkage }))]),
  ),
  { requiredKeys: [] },
)
const data = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      { type, id, lid, attributes: mostly(attributes), relationships: mostly(relationships) },
      { requiredKeys: ['type'] },
    ),
  },
  { weight: 1, arbitrary: linkage },
)
const relationship = mostly(fc.constantFrom('tags', 'author', 'comments', 'commentable'))
const ref = fc.oneof(
  fc.record({ type, id, relationship }, { requiredKeys: ['type', 'id'] }),
  fc.record({ type, lid, relationship }, { requiredKeys: ['type', 'lid'] }),
)
const href = fc.oneof(
  fc.constantFrom('posts', 'posts/1', '/api/v2/tags/2', 'posts/1/relationships/tags', '//', 'posts/%00', 'x://y'),
  fc.webUrl(),
)
const meta = fc.constantFrom({ upsert: { by: ['slug'] } }, { upsert: { by: ['name'] } }, { upsert: 5 })
const operation = fc.record(
  {
    op: mostly(fc.constantFrom('add', 'update', 'remove')),
    ref: mostly(ref),
    href: mostly(href),
    data: mostly(data),
    meta,
  },
  { requiredKeys: ['op'] },
)

const tagId = fc.constantFrom('2', '3', '4')
const tagOf = fc.record({ type: fc.constant('tags'), id: tagId })
const tags = fc.record({ data: fc.array(tagOf, { maxLength: 2 }) })
const fresh = fc.uuid().map((text) => `s-${text}`)
const newPost = fc.record({ title: fc.constant('T'), slug: fresh, body: fc.string({ minLength: 1 }) })
const ofPost = fc.constantFrom({ type: 'posts', id: '1' }, { type: 'posts', id: '2' }, { type: 'posts', lid: 'a' })
/** Right in itself; whether its lid is known depends on what came before it. */
const rightOperation = fc.oneof(
  fc.record({
    op: fc.constant('add'),
    data: fc.record(
      { type: fc.constant('posts'), lid, attributes: newPost, relationships: fc.record({ tags }) },
      { requiredKeys: ['type', 'attributes'] },
    ),
  }),
  fc.record({
    op: fc.constant('update'),
    data: fc.record({ type: fc.constant('posts'), attributes: newPost }),
    meta: fc.constant({ upsert: { by: ['slug'] } }),
  }),
  ofPost.chain((post) =>
    fc.record({
      op: fc.constant('update'),
      data: fc.record({ type: fc.constant(post.type), attributes: newPost }).map((rest) => ({ ...rest, ...post })),
    }),
  ),
  ofPost.chain((post) =>
    fc.record({
      op: fc.constantFrom('add', 'update', 'remove'),
      ref: fc.constant({ ...post, relationship: 'tags' }),
      data: fc.array(tagOf, { maxLength: 3 }),
    }),
  ),
  fc.record({
    op: fc.constant('add'),
    data: fc.record({
      type: fc.constant('comments'),
      attributes: fc.record({ content: fc.string({ minLength: 1 }) }),
      relationships: fc.record({ commentable: fc.record({ data: ofPost }) }),
    }),
  }),
  fc.record({ op: fc.constant('remove'), ref: fc.record({ type: fc.constant('posts'), lid: fc.constant('a') }) }),
)
const operations = (one: Arbitrary<unknown>) =>
  fc.record({ 'atomic:operations': fc.array(one, { minLength: 1, maxLength: 4 }) })
const document = fc.oneof(
  { weight: 6, arbitrary: operations(rightOperation) },
  { weight: 6, arbitrary: operations(fc.oneof(rightOperation, mostly(operation))) },
  { weight: 1, arbitrary: fc.record({ 'atomic:operations': anything }) },
  { weight: 1, arbitrary: anything },
)

let database: Database
let running: Running
let client: ReturnType<typeof keepAlive>
const media = `${atomic};profile="urn:prismapi:profile:upsert"`

beforeAll(async () => {
  console.info(`Arbitrary operations: FC_SEED=${seed}, ${runs} documents`)
  database = await openTestDatabase()
  const user = await database.reader.user.findUniqueOrThrow({ where: { id: 1 } })
  running = await startServers(database, { ...(await exampleWith(V2)), authenticate: () => user })
  client = keepAlive(running.at, { 'Content-Type': media }, 1)
})
afterAll(async () => {
  client.close()
  await running.close()
  await database.close()
})

test('whatever is sent as operations is done as a whole, or refused in good form and not at all', {
  timeout: 600_000,
}, async () => {
  let done = 0
  const property = fc.asyncProperty(document, async (body) => {
    const text = JSON.stringify(body)
    const before = await snapshot(database.writer)
    const answer = await client.send('POST', path, text)
    if (answer.status === 200 || answer.status === 204) {
      done++
      if (answer.status === 204) return
      const answered = JSON.parse(answer.text)
      expect({ type: answer.type, count: answered['atomic:results'].length, members: Object.keys(answered) }).toEqual({
        type: media,
        count: (body as { 'atomic:operations': [] })['atomic:operations'].length,
        members: ['jsonapi', 'atomic:results'],
      })
      return
    }
    expect(answer.status, `${text} → ${answer.text}`).toBeLessThan(500)
    const { errors, ...rest } = JSON.parse(answer.text)
    expect({ type: answer.type, rest }).toEqual({
      type: media,
      rest: { jsonapi: { ...jsonapi, profile: ['urn:prismapi:profile:upsert'] } },
    })
    for (const { source } of errors) if (source?.pointer !== undefined) expectPlace(body, source.pointer)
    expect(await snapshot(database.writer)).toEqual(before)
  })
  await fc.assert(property, { seed, numRuns: runs })
  // Or nothing but refusals was tested.
  expect(done).toBeGreaterThan(runs / 10)
})

/** RFC 6901: the pointer names a value of the document. */
function expectPlace(body: unknown, pointer: string): void {
  let value = JSON.parse(JSON.stringify(body))
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    expect(
      typeof value === 'object' && value !== null && Object.hasOwn(value, name),
      `${pointer} in ${JSON.stringify(body)}`,
    ).toBe(true)
    value = value[name]
  }
}
