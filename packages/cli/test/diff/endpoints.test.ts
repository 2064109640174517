import { string } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { AnySchema, type ApiParts, changesOf, posts, served } from '../../../../test/support/api-files.ts'

/** Posts with an action. */
const publish = (options: object = {}) =>
  posts(
    class extends AnySchema {
      override actions() {
        return [this.action('publish', { handle: () => null, ...options } as never)]
      }
    },
  )

/** Posts whose versions are counted. */
const versioned = (requiresIfMatch: boolean) =>
  posts(
    class extends AnySchema {
      override readonly version = 'words' as never
      override readonly requiresIfMatch = requiresIfMatch
    },
  )

type Row = readonly [name: string, old: ApiParts, now: ApiParts, forth: readonly string[], back: readonly string[]]

// What breaks clients in one direction is compatible in the other, or the other way round; some break either way.
const rows: readonly Row[] = [
  [
    'an action',
    publish(),
    {},
    ['- posts POST /posts/{id}/-actions/publish: gone'],
    ['+ posts POST /posts/{id}/-actions/publish: new'],
  ],
  [
    'the method of an action',
    publish(),
    publish({ method: 'PUT' }),
    ['+ posts PUT /posts/{id}/-actions/publish: new', '- posts POST /posts/{id}/-actions/publish: gone'],
    ['+ posts POST /posts/{id}/-actions/publish: new', '- posts PUT /posts/{id}/-actions/publish: gone'],
  ],
  [
    'what an action answers',
    publish(),
    publish({ answers: 'User' }),
    [
      '+ posts answer to POST /posts/{id}/-actions/publish: is never posts any more',
      '- posts answer to POST /posts/{id}/-actions/publish: may be users',
    ],
    [
      '+ posts answer to POST /posts/{id}/-actions/publish: is never users any more',
      '- posts answer to POST /posts/{id}/-actions/publish: may be posts',
    ],
  ],
  [
    'the status of an action',
    publish(),
    publish({ status: 202 }),
    [
      '+ posts POST /posts/{id}/-actions/publish answered by 202: new',
      '- posts POST /posts/{id}/-actions/publish answered by 200: gone',
    ],
    [
      '+ posts POST /posts/{id}/-actions/publish answered by 200: new',
      '- posts POST /posts/{id}/-actions/publish answered by 202: gone',
    ],
  ],
  [
    'what an action is told',
    publish(),
    publish({ rules: { at: string() } }),
    ['+ posts document of POST /posts/{id}/-actions/publish.meta.at: new'],
    ['- posts document of POST /posts/{id}/-actions/publish.meta.at: gone'],
  ],
  [
    'what an action has to be told',
    publish({ rules: { at: string() } }),
    publish({ rules: { at: string().required() } }),
    [
      '- posts POST /posts/{id}/-actions/publish without a document: refused',
      '- posts document of POST /posts/{id}/-actions/publish.meta.at: has minLength 1, had no minLength',
      '- posts document of POST /posts/{id}/-actions/publish.meta.at: must be there',
      '- posts document of POST /posts/{id}/-actions/publish.meta: must be there',
    ],
    [
      '+ posts POST /posts/{id}/-actions/publish without a document: accepted',
      '+ posts document of POST /posts/{id}/-actions/publish.meta.at: has no minLength, had minLength 1',
      '+ posts document of POST /posts/{id}/-actions/publish.meta.at: may be left out',
      '+ posts document of POST /posts/{id}/-actions/publish.meta: may be left out',
    ],
  ],
  [
    'whether a write has to name a version',
    versioned(false),
    versioned(true),
    [
      '- posts DELETE /posts/{id} without header If-Match: refused',
      '- posts DELETE /posts/{id}/relationships/comments without header If-Match: refused',
      '- posts PATCH /posts/{id} without header If-Match: refused',
      '- posts PATCH /posts/{id}/relationships/author without header If-Match: refused',
      '- posts PATCH /posts/{id}/relationships/comments without header If-Match: refused',
      '- posts POST /posts/{id}/relationships/comments without header If-Match: refused',
    ],
    [
      '+ posts DELETE /posts/{id} without header If-Match: accepted',
      '+ posts DELETE /posts/{id}/relationships/comments without header If-Match: accepted',
      '+ posts PATCH /posts/{id} without header If-Match: accepted',
      '+ posts PATCH /posts/{id}/relationships/author without header If-Match: accepted',
      '+ posts PATCH /posts/{id}/relationships/comments without header If-Match: accepted',
      '+ posts POST /posts/{id}/relationships/comments without header If-Match: accepted',
    ],
  ],
  [
    'the base path',
    {},
    served({ basePath: '/v2' }),
    ['+ API base path /v2: new', '- API base path /api/v1: gone'],
    ['+ API base path /api/v1: new', '- API base path /v2: gone'],
  ],
  [
    'the version of JSON:API',
    {},
    served({ version: '1.0' }),
    ['- API JSON:API 1.1: gone', '- API POST /operations: gone'],
    ['+ API JSON:API 1.1: new', '+ API POST /operations: new'],
  ],
  [
    'how many operations a request has',
    {},
    served({ limits: { operations: 2 } }),
    ['- API document of POST /operations.atomic:operations: has maxItems 2, had maxItems 100'],
    ['+ API document of POST /operations.atomic:operations: has maxItems 100, had maxItems 2'],
  ],
  [
    'entity tags',
    {},
    served({ etags: false }),
    ['- API header If-None-Match: gone'],
    ['+ API header If-None-Match: new'],
  ],
  [
    'a way to sign in',
    served({ openapi: { securitySchemes: { bearer: {} } } }),
    {},
    ['- API security scheme bearer: gone'],
    ['+ API security scheme bearer: new'],
  ],
]

describe.each(rows)('%s', (_name, old, now, forth, back) => {
  test('that is another', () => expect(changesOf(old, now)).toEqual(forth))

  test('that is what it was again', () => expect(changesOf(now, old)).toEqual(back))
})
