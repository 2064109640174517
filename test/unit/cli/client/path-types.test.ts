import { expect, test } from 'vitest'
import { pathText } from '../../../../src/cli/client/path-types.ts'

const ref = (name: string) => ({ $ref: `#/components/${name}` })
const ofPosts = ref('schemas/posts.many')

test('an operation is made of the types of its model; a stream of events beside its document is none of them', () => {
  const item = {
    parameters: [ref('parameters/id')],
    get: {
      parameters: [
        ref('parameters/include.posts'),
        ref('parameters/fields.posts'),
        ref('parameters/filter.posts.title'),
        ref('parameters/filter.posts.title.contains'),
        { name: 'groupBy', in: 'query', required: true, schema: { type: 'string' } },
        ref('parameters/If-None-Match'),
      ],
      responses: {
        200: { content: { 'application/vnd.api+json': { schema: ofPosts }, 'text/event-stream': { schema: {} } } },
        204: { description: 'Nothing.' },
        400: ref('responses/400'),
      },
    },
  }
  expect(pathText(['/users/{id}/posts', item], new Map())).toBe(`'/users/{id}/posts': {
get: {
parameters: { path: Given['id']; query: Include<'posts'> & Fields & Types['posts']['filter'] & RelationFilter<'posts'> & {
groupBy: string
}; header?: Given['If-None-Match'] }
responses: { 200: Document<Types['posts']['many']>; 204: Nothing; default: Refused }
}
}`)
})

test('what is related and of several types includes what any of them does', () => {
  const include = { name: 'include', in: 'query', schema: { type: 'array', items: { type: 'string', pattern: '.' } } }
  const item = { get: { parameters: [include], responses: {} } }
  expect(pathText(['/comments/{id}/about', item], new Map([['/comments/{id}/about', ['posts', 'videos']]]))).toContain(
    "query?: Include<'posts' | 'videos'>",
  )
})
