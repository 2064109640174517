import { describe, expect, test } from 'vitest'
import { expectErrors } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { inPlace } from '../../support/openapi-in-place.ts'
import { toldOperations } from '../../support/told-operations.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
type Part = any

const api = useApi()

const callerOf = (userId: number | null) => (userId === null ? api.guest : api.as(userId))
const documentOf = async (userId: number | null, name: string): Promise<Part> =>
  (await callerOf(userId).get(`/api/${name}/openapi.json`)).body

const operationsOf = (document: Part): string[] => toldOperations(document).map(({ id }) => id)

const ofType = (document: Part, type: string) =>
  operationsOf(document).flatMap((id) => (id.startsWith(`${type}.`) ? [id.slice(type.length + 1)] : []))

const relation = (name: string, ...kinds: string[]) => kinds.map((kind) => `${name}.${kind}`)
const reads = ['viewRelated', 'viewRelationship']
const writes = ['updateRelationship', 'attach', 'detach']

describe('what a caller is told of', () => {
  test('is what a rule of the policy names for them', async () => {
    const of = async (userId: number | null) => ofType(await documentOf(userId, 'v1'), 'tags').sort()
    const read = ['viewAny', 'view', ...relation('posts', ...reads), ...relation('videos', ...reads)]
    expect(await of(null)).toEqual([...read].sort())
    expect(await of(users.member3)).toEqual([...read].sort())
    expect(await of(users.admin)).toEqual([...read, 'create', 'update', 'delete'].sort())
    const videos = ofType(await documentOf(users.admin, 'v1'), 'videos')
    expect(videos).toEqual(expect.arrayContaining(relation('tags', ...reads, ...writes)))
  })

  test('is not what a rule denies to them without a condition', async () => {
    const of = async (userId: number) =>
      ofType(await documentOf(userId, 'v1'), 'posts').includes('author.updateRelationship')
    expect([await of(users.member3), await of(users.admin)]).toEqual([false, true])
  })

  test('is what the method of a policy may decide, for which there has to be a request', async () => {
    expect(ofType(await documentOf(null, 'v1'), 'posts')).toEqual([
      'viewAny',
      'view',
      ...relation('author', ...reads),
      ...relation('tags', ...reads, 'updateRelationship', 'attach'),
      ...relation('comments', ...reads),
    ])
  })

  test('is not what an authorizer denies to them whatever the row is', async () => {
    const guests = await documentOf(null, 'v2')
    expect(ofType(guests, 'tags')).toEqual([
      ...['viewAny', 'view'],
      ...relation('posts', ...reads),
      ...relation('videos', ...reads),
    ])
    const words = (document: Part) => JSON.stringify(document).match(/"\w*password\w*"/gi)
    expect([words(guests), words(await documentOf(null, 'v1'))]).toEqual([null, null])
    expect(ofType(guests, 'posts')).not.toContain('-actions.publish')
    expect(ofType(await documentOf(users.member3, 'v2'), 'posts')).toContain('-actions.publish')
  })

  test('has no type that they cannot do anything with, but for what others lead to', async () => {
    const types = ({ tags }: Part) => tags.map(({ name }: Part) => name)
    const guests = await documentOf(null, 'v1')
    expect(types(guests)).toEqual(['profiles', 'posts', 'tags', 'videos', 'comments'])
    expect(types(await documentOf(users.member3, 'v1'))).toEqual([
      ...['users', 'profiles', 'posts', 'tags', 'videos', 'comments'],
    ])
    const { schemas, parameters } = guests.components
    expect(Object.keys(schemas).filter((name) => name.startsWith('users.'))).toEqual([
      'users.identifier',
      'users.toOne',
      'users.resource',
    ])
    expect(schemas['users.resource'].properties.relationships.properties).toEqual({})
    expect(Object.keys(parameters).filter((name) => /\.users\b/.test(name))).toEqual([])
    expect(Object.keys(parameters.fields.schema.properties)).toContain('users')
  })
})

describe('what a caller writes', () => {
  const body = async (userId: number, name: string) =>
    (await documentOf(userId, 'v2')).components.schemas[name].properties.data.properties

  test('is what has a rule for them', async () => {
    const of = async (userId: number) => Object.keys((await body(userId, 'posts.create')).relationships.properties)
    expect(await of(users.member3)).toEqual(['tags'])
    expect(await of(users.admin)).toEqual(['author', 'tags'])
    const role = async (userId: number) => (await body(userId, 'users.update')).attributes.properties.role
    expect(await role(users.member3)).toBeUndefined()
    expect(await role(users.admin)).toEqual({ type: 'string', enum: ['MEMBER', 'EDITOR', 'ADMIN'] })
  })

  test('is said without a doubt', async () => {
    const { schemas } = (await documentOf(users.member3, 'v1')).components
    expect(schemas['posts.create'].description).toBe('A document that creates a post.')
  })
})

test('the mark of deleted rows is there for who sees them, with the filter and the way back', async () => {
  const of = async (userId: number | null) => {
    const { components, paths } = inPlace(await documentOf(userId, 'v2'), 'parameters')
    const asked = paths['/api/v2/posts'].get.parameters.map(({ name }: Part) => name)
    const { 'posts.resource': resource, 'posts.update': update } = components.schemas
    return {
      attribute: 'deletedAt' in resource.properties.attributes.properties,
      field: components.parameters.fields.schema.properties.posts.items.enum.includes('deletedAt'),
      filter: asked.includes('filter[trashed]'),
      sort: asked.includes('filter[deletedAt]'),
      restore: 'deletedAt' in (update?.properties.data.properties.attributes.properties ?? {}),
    }
  }
  const none = { attribute: false, field: false, filter: false, sort: false, restore: false }
  expect([await of(null), await of(users.member3)]).toEqual([none, none])
  expect(await of(users.editor)).toEqual({ attribute: true, field: true, filter: true, sort: true, restore: true })
  for (const userId of [null, users.member3, users.editor, users.admin])
    expect(JSON.stringify(await documentOf(userId, 'v1'))).not.toContain('deletedAt')
})

describe('who asks', () => {
  test('is found out as everywhere: a wrong token is 401', async () => {
    const answer = await api.guest.get('/api/v1/openapi.json', {
      headers: { Authorization: 'Bearer nonsense' },
    })
    expectErrors(answer, { status: '401', title: 'Unauthorized', detail: 'Unauthenticated.' })
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  test('gets what all get who may do the same, and another document than others', async () => {
    const tag = async (userId: number | null) =>
      (await callerOf(userId).get('/api/v2/openapi.json')).headers.get('ETag')
    const tags = [await tag(null), await tag(users.member4), await tag(users.editor), await tag(users.admin)]
    expect(new Set(tags).size).toBe(4)
    expect(await tag(users.member5)).toBe(tags[1])
    // The example of a user is this member, who sees more of it.
    expect(await tag(users.member3)).not.toBe(tags[1])
  })
})

describe('examples', () => {
  const examplesOf = async (userId: number | null, name: string) => {
    const { schemas } = (await documentOf(userId, 'v1')).components
    return schemas[name]?.examples
  }

  test('are the rows that the application names, as the caller is shown them', async () => {
    const { data } = (await api.guest.get('/posts/1')).body
    const { type, id, attributes } = data
    expect(await examplesOf(null, 'posts.resource')).toEqual([{ type, id, attributes }])
    const { title, slug, content, synopsis, publishedAt } = attributes
    const sent = { type, attributes: { title, slug, content, synopsis, publishedAt } }
    expect(await examplesOf(users.member3, 'posts.create')).toEqual([{ data: sent }])
    expect(await examplesOf(users.member3, 'posts.update')).toEqual([{ data: { ...sent, id } }])
  })

  test('are left out where the caller may not view the row, and where more has to be sent', async () => {
    expect(await examplesOf(null, 'users.resource')).toBeUndefined()
    expect(await examplesOf(users.member3, 'users.resource')).toMatchObject([{ type: 'users', id: '3' }])
    expect(await examplesOf(users.member3, 'comments.create')).toBeUndefined()
    expect(await examplesOf(users.admin, 'users.create')).toBeUndefined()
  })
})
