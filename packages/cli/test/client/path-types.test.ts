import { expect, test } from 'vitest'
import { pathText } from '../../src/client/path-types.ts'

const ref = (name: string) => ({ $ref: `#/components/${name}` })
const ofPosts = ref('schemas/posts.many')
const query = (name: string) => ({ name, in: 'query', schema: {} })
const components = {
  parameters: {
    id: { name: 'id', in: 'path', required: true },
    'include.posts': query('include'),
    fields: query('fields'),
    filter: query('filter'),
    'pages.size': query('page[size]'),
    'sort.posts': query('sort'),
    'If-None-Match': { name: 'If-None-Match', in: 'header' },
  },
}

test('an operation is made of the types of its model; a stream of events beside its document is none of them', () => {
  const item = {
    parameters: [ref('parameters/id')],
    get: {
      parameters: [
        ref('parameters/include.posts'),
        ref('parameters/fields'),
        ref('parameters/filter'),
        ref('parameters/pages.size'),
        ref('parameters/sort.posts'),
        { name: 'groupBy', in: 'query', required: true, schema: { type: 'string' } },
        ref('parameters/If-None-Match'),
      ],
      responses: {
        200: { content: { 'application/vnd.api+json': { schema: ofPosts }, 'text/event-stream': { schema: {} } } },
        204: { description: 'Nothing.' },
        '4XX': ref('responses/4XX'),
      },
    },
  }
  const asked = new Map([['/users/{id}/posts', { types: ['posts'], linkage: null, isOfRelation: true }]])
  expect(pathText(['/users/{id}/posts', item], { components, asked })).toBe(`'/users/{id}/posts': {
get: {
parameters: { path: Given['id']; query: Include<'posts'> & Fields & Types['posts']['filter'] & RelationFilter<'posts'> & Types['posts']['page'] & Types['posts']['sort'] & {
groupBy: string
}; header?: Given['If-None-Match'] }
responses: { 200: Document<Types['posts']['many']>; 204: Nothing; default: Refused }
}
}`)
})

test('what is related and of several types includes what any of them does', () => {
  const include = { name: 'include', in: 'query', schema: { type: 'array', items: { type: 'string', pattern: '.' } } }
  const item = { get: { parameters: [include], responses: {} } }
  const about = { types: ['posts', 'videos'], linkage: null, isOfRelation: true }
  expect(
    pathText(['/comments/{id}/about', item], { components: {}, asked: new Map([['/comments/{id}/about', about]]) }),
  ).toContain("query?: Include<'posts' | 'videos'>")
})

test('linkage includes what its relation leads to, and a body and answers may be components', () => {
  const linkage = { types: ['users'], linkage: ['posts', 'author'], isOfRelation: true } as const
  const body = { required: true, content: { 'application/vnd.api+json': { schema: ref('schemas/users.linkage') } } }
  const item = {
    patch: {
      parameters: [ref('parameters/include'), { ...query('If-Match'), in: 'header', required: true }],
      requestBody: ref('requestBodies/users.linkage'),
      responses: { 204: ref('responses/204') },
    },
  }
  const described = {
    components: {
      parameters: { include: query('include') },
      requestBodies: { 'users.linkage': body },
      responses: { 204: { description: 'Nothing.' } },
    },
    asked: new Map([['/posts/{id}/relationships/author', linkage]]),
  }
  expect(pathText(['/posts/{id}/relationships/author', item], described)).toBe(`'/posts/{id}/relationships/author': {
patch: {
parameters: { query?: Include<'posts', 'author'> & Fields; header: {
'If-Match': unknown
} }
requestBody: Document<Types['users']['linkage']>
responses: { 204: Nothing; default: Refused }
}
}`)
})
