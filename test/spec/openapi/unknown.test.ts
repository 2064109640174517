import { Policy, type Rules, Server } from 'prismapi'
import { expect, test } from 'vitest'
import { exampleWith, useServers } from '../../support/servers.ts'

class V1 extends Server {
  override readonly name = 'v1'
}

class TagPolicy extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>) {
    can(['viewAny', 'view'])
  }
}

class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can(['viewAny', 'view', 'viewTags', 'viewAuthor'])
  }
}

class V1Everywhere extends V1 {
  override readonly viewEverywhere = true
}

const only = (...policies: [string, new () => object][]) => new Map(policies) as never

const tagsAlone = useServers(async () => ({ ...(await exampleWith(V1)), policies: only(['Tag', TagPolicy]) }))
const everywhere = useServers(async () => ({
  ...(await exampleWith(V1Everywhere)),
  policies: only(['Tag', TagPolicy], ['Post', PostPolicy]),
}))

const documentOf = async (api: typeof tagsAlone) => (await api.as(null)('GET', '/api/v1/openapi.json')).body

test('what a caller may not know of has no name in their document', async () => {
  const { paths, components, ...document } = await documentOf(tagsAlone)
  expect(document.tags).toEqual([{ name: 'tags', description: 'A keyword of posts and videos.' }])
  expect(Object.keys(paths)).toEqual(['/api/v1', '/api/v1/openapi.json', '/api/v1/tags', '/api/v1/tags/{id}'])
  expect(Object.keys(components.schemas).map((name) => name.replace(/-\w+$/, ''))).toEqual([
    ...['jsonapi', 'meta', 'links', 'included', 'document', 'metaDocument', 'errors', 'error'],
    ...['tags.resource', 'tags.one', 'tags.many', 'filter-id', 'filter-text'],
  ])
  const text = JSON.stringify({ paths, components })
  for (const name of [
    '/posts',
    '/videos',
    '"posts',
    '"videos',
    'users',
    'comments',
    'profiles',
    'email',
    '"author',
    'slug',
  ])
    expect(text).not.toContain(name)
})

test('where policies are asked everywhere, there is no relation to what the caller may not view', async () => {
  const { paths, components } = await documentOf(everywhere)
  expect(Object.keys(paths).filter((path) => path.includes('{id}/'))).toEqual([
    '/api/v1/posts/{id}/tags',
    '/api/v1/posts/{id}/relationships/tags',
  ])
  const { relationships } = components.schemas['posts.resource'].properties
  expect(Object.keys(relationships.properties)).toEqual(['tags'])
  expect(JSON.stringify({ paths, components })).not.toContain('users')
})

test('a document is made of what the policies say, without a query', async () => {
  expect(await tagsAlone.queriesOf(() => documentOf(tagsAlone))).toEqual([])
})
