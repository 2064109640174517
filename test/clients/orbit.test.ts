import { JSONAPISerializers, JSONAPISource } from '@orbit/jsonapi'
import { type InitializedRecord, RecordKeyMap, RecordSchema } from '@orbit/records'
import { buildSerializerSettingsFor } from '@orbit/serializers'
import { beforeEach, describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { versions } from '../support/conformance.ts'
import { tagsOf } from '../support/rows.ts'

// The server gives most ids: Orbit keeps them as the key `remoteId` beside its own. Videos take the ids that Orbit makes.
const keys = { remoteId: {} }
const schema = new RecordSchema({
  models: {
    post: {
      keys,
      attributes: {
        title: { type: 'string' },
        slug: { type: 'string' },
        content: { type: 'string' },
        body: { type: 'string' },
        publishedAt: { type: 'datetime' },
      },
      relationships: {
        author: { kind: 'hasOne', type: 'user' },
        tags: { kind: 'hasMany', type: 'tag' },
      },
    },
    tag: { keys, attributes: { name: { type: 'string' } } },
    user: { keys, attributes: { name: { type: 'string' } } },
    video: { attributes: { title: { type: 'string' }, url: { type: 'string' } } },
  },
})

/** A source of one server, with the token of a user. */
const connect = (host: string, namespace: string, token: string) =>
  new JSONAPISource({
    name: 'remote',
    schema,
    keyMap: new RecordKeyMap(),
    host,
    namespace,
    defaultFetchSettings: { headers: { Authorization: `Bearer ${token}` } },
    serializerSettingsFor: buildSerializerSettingsFor({
      settingsByType: {
        // `post` in the schema, `posts` in documents; the names of fields stay as they are.
        [JSONAPISerializers.ResourceType]: { serializationOptions: { inflectors: ['pluralize', 'dasherize'] } },
        [JSONAPISerializers.ResourceTypeParam]: { serializationOptions: { inflectors: ['pluralize', 'dasherize'] } },
        [JSONAPISerializers.ResourceFieldPath]: { serializationOptions: { inflectors: [] } },
      },
    }),
  })

const server = useApi()

describe.each(versions)('Orbit on $name', ({ name, text }) => {
  let api: JSONAPISource
  beforeEach(async () => {
    const token = await server.authorization(users.admin)
    api = connect(new URL(server.url('/api')).origin, `api/${name}`, token.replace('Bearer ', ''))
    await api.activated
  })
  let made = 0
  const attributes = () => ({ title: 'By Orbit', slug: `orbit-${++made}-${name}`, [text]: 'Text' })
  const create = () => api.update<InitializedRecord>((t) => t.addRecord({ type: 'post', attributes: attributes() }))
  const find = async (type: string, id: number) =>
    (
      await api.query<InitializedRecord[]>((q) => q.findRecords(type).filter({ attribute: 'id', value: String(id) }))
    )[0] as InitializedRecord
  const idOf = ({ keys }: InitializedRecord) => Number(keys?.remoteId)

  test('lists, with filter, sort, page and include', async () => {
    const found = await api.query<InitializedRecord[]>(
      (q) => q.findRecords('post').filter({ attribute: 'author', value: '4' }).sort('-title'),
      { page: { size: 2 }, include: ['author'], fields: { post: ['title', 'author'] } },
    )
    expect(found.map(({ type, keys, attributes }) => ({ type, keys, attributes }))).toEqual(
      found.map(() => ({
        type: 'post',
        keys: { remoteId: expect.any(String) },
        attributes: { title: expect.any(String) },
      })),
    )
    expect(found).toHaveLength(2)
  })

  test('finds one, and what is related to it', async () => {
    const post = await find('post', 1)
    const one = await api.query<InitializedRecord>((q) => q.findRecord(post))
    const tags = await api.query<InitializedRecord[]>((q) => q.findRelatedRecords(one, 'tags'))
    const author = await api.query<InitializedRecord>((q) => q.findRelatedRecord(one, 'author'))
    expect({ tags: tags.map(idOf), author: idOf(author) }).toEqual({ tags: await tagsOf(server.db, 1), author: 4 })
  })

  test('creates, with the id of the server and with one of its own', async () => {
    const post = await create()
    expect(await server.db.post.findUnique({ where: { id: idOf(post) } })).toMatchObject({ title: 'By Orbit' })
    const video = await api.update<InitializedRecord>((t) =>
      t.addRecord({ type: 'video', attributes: { title: 'V', url: 'https://v.example' } }),
    )
    expect(await server.db.video.findUnique({ where: { id: video.id } })).toMatchObject({ title: 'V' })
  })

  test('updates', async () => {
    const post = await create()
    const publishedAt = new Date('2024-05-01T10:00:00Z')
    await api.update((t) => t.updateRecord({ ...post, attributes: { title: 'New', publishedAt } }))
    expect(await server.db.post.findUnique({ where: { id: idOf(post) } })).toMatchObject({ title: 'New', publishedAt })
  })

  test('changes relationships by their own URLs', async () => {
    const post = await create()
    const [two, three, four] = [await find('tag', 2), await find('tag', 3), await find('tag', 4)]
    const author = await find('user', 5)
    await api.update((t) => t.replaceRelatedRecords(post, 'tags', [two, three]))
    await api.update((t) => t.addToRelatedRecords(post, 'tags', four))
    await api.update((t) => t.removeFromRelatedRecords(post, 'tags', two))
    expect(await tagsOf(server.db, idOf(post))).toEqual([3, 4])
    await api.update((t) => t.replaceRelatedRecord(post, 'author', author))
    expect(await server.db.post.findUnique({ where: { id: idOf(post) } })).toMatchObject({ authorId: 5 })
  })

  test('deletes', async () => {
    const post = await create()
    await api.update((t) => t.removeRecord(post))
    expect((await server.guest.get(`/api/${name}/posts/${idOf(post)}`)).status).toBe(404)
  })

  test('throws with the document of the errors', async () => {
    const attributes = { title: 'T', slug: 'Not A Slug', [text]: 'Text' }
    const error = await api.update((t) => t.addRecord({ type: 'post', attributes })).catch((error) => error)
    expect(error.data.errors).toEqual([
      expect.objectContaining({ status: '422', source: { pointer: '/data/attributes/slug' } }),
    ])
  })
})
