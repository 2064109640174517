import spraypaint from 'spraypaint'
import { beforeEach, describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { versions } from '../support/conformance.ts'
import { tagsOf } from '../support/rows.ts'

const { attr, belongsTo, hasMany, SpraypaintBase } = spraypaint

/** The models of one server, with the token of a user. */
function connect(baseUrl: string, apiNamespace: string, token: string) {
  const Base = SpraypaintBase.extend({
    // Names stay as they are: left to itself, Spraypaint writes `published_at`.
    static: { baseUrl, apiNamespace, keyCase: { server: 'camel', client: 'camel' } },
  })
  // As a rule it reads the token of the session from `localStorage`.
  Base.generateAuthHeader = (jwt: string) => `Bearer ${jwt}`
  Base.jwt = token
  const User = Base.extend({ static: { jsonapiType: 'users' }, attrs: { name: attr() } })
  const Tag = Base.extend({ static: { jsonapiType: 'tags' }, attrs: { name: attr() } })
  const Post = Base.extend({
    static: { jsonapiType: 'posts' },
    attrs: {
      title: attr(),
      slug: attr(),
      content: attr(),
      body: attr(),
      publishedAt: attr(),
      author: belongsTo({ type: User }),
      tags: hasMany({ type: Tag }),
    },
  })
  return { Post, Tag, User }
}

const server = useApi()

describe.each(versions)('Spraypaint on $name', ({ name, text }) => {
  let models: ReturnType<typeof connect>
  beforeEach(async () => {
    const token = await server.authorization(users.admin)
    models = connect(new URL(server.url('/api')).origin, `/api/${name}`, token.replace('Bearer ', ''))
  })
  const draft = (slug: string) => new models.Post({ title: 'By Spraypaint', slug: `${slug}-${name}`, [text]: 'Text' })

  test('lists, with filter, sort, page size, fields and include', async () => {
    const { data } = await models.Post.where({ author: 4, publishedAt: { isNull: false } })
      .order({ title: 'desc' })
      .per(2)
      .select({ posts: ['title', 'author'], users: ['name'] })
      .includes('author')
      .all()
    expect(data).toMatchObject(Array(2).fill({ title: expect.any(String), author: { name: 'Member 4' } }))
  })

  test('finds one with what it includes', async () => {
    const { data } = await models.Post.includes('tags').find(1)
    expect(data.tags.map((tag) => Number(tag.id))).toEqual(await tagsOf(server.db, 1))
  })

  test('creates with relationships', async () => {
    const post = draft('created')
    post.author = (await models.User.find(4)).data
    post.tags = [(await models.Tag.find(2)).data, (await models.Tag.find(3)).data]
    expect(await post.save({ with: ['author.id', 'tags.id'] })).toBe(true)
    const row = await server.db.post.findUnique({ where: { id: Number(post.id) } })
    expect({ row, tags: await tagsOf(server.db, Number(post.id)) }).toMatchObject({
      row: { title: 'By Spraypaint', authorId: 4 },
      tags: [2, 3],
    })
  })

  test('updates what changed, and whole relationships when they are saved by their ids', async () => {
    const post = draft('updated')
    post.tags = [(await models.Tag.find(2)).data]
    await post.save({ with: 'tags.id' })
    post.title = 'New'
    post.tags.push((await models.Tag.find(5)).data)
    expect(await post.save({ with: 'tags.id' })).toBe(true)
    const { data } = await models.Post.includes('tags').find(post.id as string)
    expect({ title: data.title, tags: data.tags.map(({ id }) => id) }).toEqual({ title: 'New', tags: ['2', '5'] })
  })

  test('saves by the name of a relation what was added to it, which replaces the rest', async () => {
    const post = draft('replaced')
    post.tags = [(await models.Tag.find(2)).data]
    await post.save({ with: 'tags' })
    post.tags.push((await models.Tag.find(5)).data)
    await post.save({ with: 'tags' })
    expect(await tagsOf(server.db, Number(post.id))).toEqual([5])
  })

  test('is refused what is no parameter here', async () => {
    const refused = await models.Post.stats({ total: 'count' })
      .all()
      .catch(({ response }: { response: Response }) => response.status)
    expect(refused).toBe(400)
  })

  test('deletes', async () => {
    const post = draft('deleted')
    await post.save()
    expect(await post.destroy()).toBe(true)
    expect((await server.guest.get(`/api/${name}/posts/${post.id}`)).status).toBe(404)
  })

  test('rejects with the answer, which has the errors', async () => {
    const answered = (work: Promise<unknown>) =>
      work.catch(async ({ response }: { response: Response }) => Reflect.get(Object(await response.json()), 'errors'))
    expect(await answered(draft('Not A Slug').save())).toEqual([
      expect.objectContaining({ status: '422', source: { pointer: '/data/attributes/slug' } }),
    ])
    expect(await answered(models.Post.find(9999))).toEqual([{ status: '404', title: 'Not Found' }])
  })

  test('says of a field that is missing that it could not save', async () => {
    const post = new models.Post({ slug: `untitled-${name}`, [text]: 'Text' })
    expect(await post.save()).toBe(false)
    expect(post.errors).toMatchObject({ undefined: { code: 'required', fullMessage: 'The title field is required.' } })
  })

  test('cannot create the related resources with their own: that is no part of JSON:API', async () => {
    const post = draft('sidepost')
    post.tags = [new models.Tag({ name: 'new' })]
    const status = await post.save({ with: 'tags' }).catch(({ response }: { response: Response }) => response.status)
    expect({ status, tags: await server.db.tag.count({ where: { name: 'new' } }) }).toEqual({ status: 400, tags: 0 })
  })
})
