import { createApi, Policy, type Rules, Server } from 'prismapi'
import { expect, test } from 'vitest'
import { expectTold } from '../support/documentation/told.ts'
import { resourcesOf } from '../support/resources-of.ts'

// Where a server asks the policies everywhere, a relation through a model shows what they let the caller view of the rows between.

const resources = resourcesOf(
  `datasource db {
  provider = "sqlite"
}

model Post {
  id    Int       @id
  links PostTag[]
}

model Tag {
  id    Int       @id
  links PostTag[]
}

model PostTag {
  post   Post @relation(fields: [postId], references: [id])
  postId Int
  tag    Tag  @relation(fields: [tagId], references: [id])
  tagId  Int

  @@id([postId, tagId])
}`,
  'sqlite',
)

class Open extends Policy {
  override abilities({ can }: Rules) {
    can(['viewAny', 'view'])
  }
}

interface Own {
  readonly viewEverywhere?: boolean
  readonly authorizable?: boolean
  readonly policies?: readonly string[]
  readonly models?: readonly string[]
}

/** What the start warns of. */
function warningsOf({ viewEverywhere = true, authorizable = true, policies = ['Post', 'Tag'], models }: Own): string[] {
  class V1 extends Server {
    override readonly name = 'v1'
    override readonly viewEverywhere = viewEverywhere
    override readonly models = models as never
    override authorizable() {
      return authorizable
    }
  }
  const warnings: string[] = []
  createApi({
    resources,
    servers: [{ server: V1, schemas: new Map(), requests: new Map(), authorizers: new Map() }],
    policies: new Map(policies.map((model) => [model, Open as never])),
    clients: { reader: {}, writer: {} } as never,
    baseUrl: 'http://a.example',
    cursorSecret: 'a secret of the tests, long enough',
    logger: { debug() {}, info() {}, error() {}, warn: (_: unknown, message: string) => void warnings.push(message) },
  })
  return warnings.filter((message) => message.startsWith('Server v1:'))
}

const told =
  'Server v1: posts.tags, tags.posts are empty for everybody, because PostTag has no policy. Write one: npx prismapi policy PostTag.'

test('the start names the relations, and the policy that they want', () => {
  expect(warningsOf({})).toEqual([told])
  expectTold(told)
})

test('it says nothing where the rows between are seen, or nobody asks for them', () => {
  expect(warningsOf({ policies: ['Post', 'Tag', 'PostTag'] })).toEqual([])
  expect(warningsOf({ viewEverywhere: false }).filter((each) => each.includes('empty'))).toEqual([])
  expect(warningsOf({ authorizable: false })).toEqual([])
  expect(warningsOf({ models: ['Post', 'Tag'] })).toEqual([])
})
