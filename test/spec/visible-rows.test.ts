import {
  meta,
  Policy,
  ResourceRequest,
  type Rules,
  Schema,
  Server,
  type Serving,
  string,
  toMany,
  toOne,
  type User,
} from 'prismapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectErrors, notFound } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { read } from '../support/documentation/pages.ts'
import { isGuarded } from '../support/guarded.ts'
import { useServers } from '../support/servers.ts'

// Rows of other models, as the caller may see them: in actions, hooks and request classes. Nothing of a scope is repeated.

const told: unknown[] = []

class Hiding extends Server {
  override readonly name = 'v1'
  override readonly models = ['Tag', 'User', 'Post', 'Profile'] as const

  override serving(phase: Serving): void {
    phase.scope('User', { id: { in: [users.admin, users.editor, users.member3] } })
    phase.scope('Post', { id: { lte: 20 } })
    phase.created('Tag', async (_, { find, list, count }) => {
      told.push({
        found: (await find('User', users.editor))?.name,
        hidden: await find('User', String(users.member4)),
        listed: (await list('Post', { author: { id: users.member3 } })).map(({ id }) => id),
        counted: await count('Post'),
      })
    })
    phase.saving('Tag', ({ name }, { action, row }) => {
      told.push(`saving ${name} by ${action} of ${row?.name}`)
      return name === 'plain' ? { name: 'filled' } : {}
    })
    phase.saved('Tag', ({ name }) => void told.push(`saved ${name}`))
  }
}

class TagSchema extends Schema<'Tag'> {
  override actions() {
    return [
      this.action('look', {
        on: 'collection',
        handle: async ({ find, list, count }) =>
          meta({
            found: (await find('Post', 3))?.slug ?? null,
            hidden: await find('Post', '21'),
            nonsense: await find('Post', 'abc'),
            own: (await find('1'))?.name ?? null,
            listed: (await list('Post', { id: { gte: 18 } })).map(({ id }) => id),
            mine: (await list('Post', undefined, { may: 'update', take: 2 })).map(({ id }) => id),
            counted: await count('Post'),
            counts: await count('Post', {}, { may: 'update' }),
          }),
      }),
      this.action('undefined', {
        on: 'collection',
        // What JavaScript lets pass.
        handle: async ({ list }) => meta({ all: await list('Post', { slug: undefined } as never) }),
      }),
      this.action('byMethod', {
        on: 'collection',
        handle: async ({ count }) => meta({ all: await count('User', {}, { may: 'view' }) }),
      }),
      this.action('rename', {
        rules: { name: string().required() },
        handle: ({ row, input, save }) => save('Tag', row, { name: input.name }),
      }),
      this.action('add', {
        on: 'collection',
        status: 201,
        rules: { name: string().required() },
        meta: { secret: string().required() },
        handle: async ({ input, save }) =>
          meta({ secret: 'shown once' }, await save('Tag', null, { name: input.name })),
      }),
      this.action('addAll', {
        on: 'collection',
        rules: { post: toOne('Post').required(), others: toMany('User'), nobody: toOne('User').nullable() },
        meta: { ids: string().required() },
        handle: async ({ input, db }) => {
          const { post, others = [], nobody } = input
          const [first] = await db.tag.findMany({ take: 1 })
          return meta({ ids: `${post.slug} ${others.map(({ email }) => email)} ${nobody}` }, first ? [first] : [])
        },
      }),
      this.action('reach', {
        on: 'collection',
        // The row of another tenant, as a bug would have it.
        handle: async ({ save }) => void (await save('Post', { id: 21 }, { title: 'taken over' })),
      }),
    ]
  }
}

const actions = ['look', 'undefined', 'byMethod', 'rename', 'add', 'addAll', 'reach'] as const
class TagPolicy extends Policy<'Tag', (typeof actions)[number]> {
  override abilities({ can }: Rules<'Tag', (typeof actions)[number]>) {
    can(['viewAny', 'view', 'create', 'update', ...actions])
  }
}

class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    if (user) can('update', { authorId: user.id })
  }
}

class UserPolicy extends Policy<'User'> {
  override view() {
    return true
  }
}

class TagRequest extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required() }
  }

  override async withValidator() {
    told.push({
      found: (await this.find('Post', '3'))?.slug,
      hidden: await this.find('Post', '21'),
      listed: (await this.list('Post', { id: { gt: 18 } })).map(({ id }) => id),
      counted: await this.count('Post', { id: { gt: 18 } }),
      all: await this.count('Post', { id: { gt: 18 } }, { hidden: true }),
    })
  }
}

const api = useServers(() => ({
  policies: new Map<string, new () => object>([
    ['Tag', TagPolicy],
    ['Post', PostPolicy],
    ['User', UserPolicy],
  ]) as never,
  servers: [
    {
      server: Hiding,
      schemas: new Map([['Tag', TagSchema]]),
      authorizers: new Map(),
      requests: new Map([['Tag', { request: TagRequest, query: null, collectionQuery: null }]]),
    },
  ],
}))
const member: ReturnType<typeof api.as> = (...args) => api.as(users.member3)(...args)
const act = (name: string, sent?: object) =>
  member('POST', `/api/v1/tags/-actions/${name}`, sent && { body: { meta: sent } })
const failures = () => api.logs.filter(({ level }) => level === 'error').map(({ fields }) => String(fields.err))

beforeEach(() => {
  told.length = 0
  api.logs.length = 0
})

describe('find, list and count', () => {
  test('of an action: through the scopes, and through the policy where that is asked', async () => {
    const { status, body } = await act('look')
    expect({ status, meta: body.meta }).toEqual({
      status: 200,
      meta: {
        found: 'post-3',
        hidden: null,
        nonsense: null,
        own: 'staff-pick',
        listed: [18, 19, 20],
        mine: [8, 16],
        counted: 20,
        counts: 2,
      },
    })
  })

  test('of a hook, inside of its transaction', async () => {
    const sent = { body: { data: { type: 'tags', attributes: { name: 'looked' } } } }
    expect((await member('POST', '/api/v1/tags', sent)).status).toBe(201)
    expect(told.filter((each) => typeof each === 'object').at(-1)).toEqual({
      found: 'Editor',
      hidden: null,
      listed: [8, 16],
      counted: 20,
    })
  })

  test('of a request class', async () => {
    const sent = { body: { data: { type: 'tags', id: '5', attributes: { name: 'five' } } } }
    expect((await member('PATCH', '/api/v1/tags/5', sent)).status).toBe(200)
    expect(told[0]).toEqual({ found: 'post-3', hidden: null, listed: [19, 20], counted: 2, all: isGuarded ? 2 : 42 })
  })

  test('a condition that says nothing is a mistake', async () => {
    expect((await act('undefined')).status).toBe(500)
    expect(failures().join()).toContain("list('Post'): slug is undefined.")
  })

  test('a policy that decides by a method makes no condition', async () => {
    expect((await act('byMethod')).status).toBe(500)
    const refusal =
      "policies/user.policy.ts: { may: 'view' } needs rules for view, but view() is a method. Declare it in abilities()."
    expect(failures().join()).toContain(refusal)
    expect(read('docs/actions.md')).toContain(refusal)
  })
})

describe('save', () => {
  test('runs the hooks that a PATCH would, and answers with the row as it is then', async () => {
    const sent = { body: { meta: { name: 'plain' } } }
    const { status, body } = await member('POST', '/api/v1/tags/6/-actions/rename', sent)
    expect({ status, name: body.data.attributes.name }).toEqual({ status: 200, name: 'filled' })
    expect(told).toEqual(['saving plain by update of tag-6', 'saved filled'])
  })

  test('creates a row without one, and its answer has what is shown once', async () => {
    const { status, body } = await act('add', { name: 'added' })
    expect({ status, meta: body.meta, name: body.data.attributes.name }).toEqual({
      status: 201,
      meta: { secret: 'shown once' },
      name: 'added',
    })
    expect(told).toContain('saving added by create of undefined')
    expect(told).toContain('saved added')
  })

  test('finds no row that is hidden', async () => {
    expectErrors(await act('reach'), notFound)
    expect(await api.db.post.count({ where: { title: 'taken over' } })).toBe(0)
  })
})

describe('relationships of an input', () => {
  const identifier = (type: string, id: number) => ({ type, id: String(id) })

  test('become the rows that they name', async () => {
    const others = [identifier('users', users.admin), identifier('users', users.editor)]
    const { status, body } = await act('addAll', { post: identifier('posts', 3), others, nobody: null })
    expect({ status, meta: body.meta, many: Array.isArray(body.data) }).toEqual({
      status: 200,
      meta: { ids: 'post-3 admin@example.com,editor@example.com null' },
      many: true,
    })
  })

  test('404 for what is hidden or absent, with a pointer to each', async () => {
    const others = [identifier('users', users.admin), identifier('users', users.member4)]
    const missing = (pointer: string) => ({
      status: '404',
      title: 'Not Found',
      detail: 'The related resource does not exist.',
      source: { pointer },
    })
    expectErrors(
      await act('addAll', { post: identifier('posts', 21), others }),
      missing('/meta/post'),
      missing('/meta/others/1'),
    )
  })

  test('422 for another type', async () => {
    expectErrors(await act('addAll', { post: identifier('users', 1) }), {
      status: '422',
      code: 'toOne',
      title: 'Unprocessable Entity',
      detail: 'The post field must be a to-one relationship containing posts resources.',
      source: { pointer: '/meta/post' },
    })
  })

  test.each([[[]], ['posts'], [{ type: 'posts', id: 3 }]])('422 for %j in place of them', async (sent) => {
    const refused = (code: string, detail: string, pointer: string) => ({
      status: '422',
      title: 'Unprocessable Entity',
      ...{ code, detail, source: { pointer } },
    })
    const others = Array.isArray(sent) ? {} : sent
    expectErrors(
      await act('addAll', { post: sent, others }),
      refused('toOne', 'The member post must be a resource identifier.', '/meta/post'),
      refused('toMany', 'The others field must be an array.', '/meta/others'),
    )
  })
})

test('the OpenAPI document says what the input and the meta of an answer hold', async () => {
  const { body } = await member('GET', '/api/v1/openapi.json')
  const add = body.paths['/api/v1/tags/-actions/add'].post.responses['201'].content['application/vnd.api+json'].schema
  const { required } = body.components.schemas.metaDocument
  expect({ whole: add.allOf, required, meta: add.properties.meta }).toEqual({
    whole: [{ $ref: '#/components/schemas/metaDocument' }],
    required: ['jsonapi', 'meta'],
    meta: {
      type: 'object',
      properties: { secret: { type: 'string', minLength: 1 } },
      required: ['secret'],
    },
  })
  const addAll = body.paths['/api/v1/tags/-actions/addAll'].post.requestBody.content['application/vnd.api+json'].schema
  expect(addAll.properties.meta).toEqual({
    type: 'object',
    properties: {
      post: { $ref: '#/components/schemas/posts.identifier' },
      others: { type: 'array', items: { $ref: '#/components/schemas/users.identifier' } },
      nobody: { anyOf: [{ $ref: '#/components/schemas/users.identifier' }, { type: 'null' }] },
    },
    required: ['post'],
  })
})
