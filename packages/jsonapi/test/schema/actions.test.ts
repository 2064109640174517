import { checkPolicies } from '@prismapi/core/auth/check-policies'
import { type AnyPolicy, Policy, type Rules } from '@prismapi/core/auth/policy'
import { compileRules } from '@prismapi/core/auth/user-rules'
import { actionQueryRules } from '@prismapi/core/validation/run/query-rules'
import { actionRules } from '@prismapi/core/validation/run/validate-action'
import { array, dateTime, string } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../../prisma/generated/resources.ts'
import { asWhere } from '../../../../test/support/conditions.ts'
import type { ActionOptions, DeclaredAction } from '../../src/schema/actions.ts'
import { compileRegistry } from '../../src/schema/registry.ts'
import { schemaOf } from '../../src/schema/resource-schema.ts'
import { type AnySchema, Schema } from '../../src/schema/schema.ts'

type Options = Partial<ActionOptions<'Post', 'member' | 'collection', 'Post' | 'User', Record<string, never>>>
const handle = () => undefined
const actions = (...declared: [name: string, options?: Options][]) => {
  class PostSchema extends Schema<'Post'> {
    override actions(): DeclaredAction[] {
      return declared.map(([name, options]) => this.action(name, { handle, ...options }))
    }
  }
  const schemas = new Map([['Post', new PostSchema() as unknown as AnySchema]])
  return compileRegistry({ resources, schemas, only: ['Post', 'Tag'], maxPageSize: 100 }).registry
}
const rules = (declared: object): Options => ({ rules: declared as Record<string, never> })

describe('what an action is when nothing is said of it', () => {
  test('a POST on a resource, which answers 200 with that resource', () => {
    const { actions: read } = schemaOf(actions(['publish']), 'Post')
    expect([...read.values()]).toEqual([
      {
        name: 'publish',
        on: 'member',
        method: 'POST',
        answers: 'Post',
        status: 200,
        rules: {},
        query: {},
        meta: {},
        description: null,
        deprecation: null,
        isDestructive: false,
        unless: null,
        handle,
      },
    ])
    expect(Object.isFrozen(read.get('publish'))).toBe(true)
  })

  test('a type has none', () => {
    expect(schemaOf(actions(), 'Tag').actions.size).toBe(0)
  })
})

describe('is refused at boot', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a name that no URL and no policy can have',
      () => actions(['mark-read']),
      "action('mark-read') of Post: its name",
    ],
    ['two of one name', () => actions(['publish'], ['publish']), "action('publish') of Post: there are two"],
    ['rows that nobody serves', () => actions(['publish', { answers: 'User' }]), 'User is not served.'],
    [
      'a place that there is not',
      () => actions(['count', { on: 'type' } as never]),
      "action('count') of Post: on: 'type' is no place of an action. Use on: 'collection' (/<type>/-actions/count) or on: 'member'.",
    ],
    [
      'a method that no action has',
      () => actions(['count', { method: 'post' } as never]),
      "action('count') of Post: method: 'post' is none that actions have. Use one of GET, POST, PUT, PATCH, DELETE.",
    ],
    ['a query without GET', () => actions(['x', { query: { a: string() } as never }]), 'query is for actions by GET'],
    ['a GET with rules', () => actions(['x', { method: 'GET', ...rules({ a: string() }) }]), 'has no document'],
  ])('%s', (_, build, message) => {
    expect(build).toThrow(message)
  })

  test('a rule that is none', () => {
    const schema = schemaOf(actions(['publish', rules({ publishedAt: dateTime })]), 'Post')
    expect(() => [...schema.actions.values()].map((action) => actionRules(schema, action))).toThrow(
      "action('publish') of Post: the rule of publishedAt is no yup schema.",
    )
  })

  test.each(['update', 'viewTags', 'attachTags', 'abilities', 'writes', 'toString'])(
    'a name that means something else to policies: %s',
    (name) => {
      expect(() => checkPolicies({ name: 'v1', policies: new Map(), schemas: actions([name]) })).toThrow(
        `action('${name}') of Post: to policies that name means something else already.`,
      )
    },
  )
})

test('rules are read, those of paths below a member among them', () => {
  const schema = schemaOf(actions(['publish', rules({ ids: array(), 'ids.*': string() })]), 'Post')
  const [action] = [...schema.actions.values()]
  if (!action) throw new Error('there is no action')
  const read = actionRules(schema, action)
  expect({ fields: [...read.fields.keys()], below: read.below.map(({ names }) => names) }).toEqual({
    fields: ['ids'],
    below: [['ids', '*']],
  })
})

describe('policies', () => {
  class PostPolicy extends Policy<'Post'> {
    publish() {
      return true
    }
  }
  const policies = new Map<string, AnyPolicy>([['Post', new PostPolicy()]])

  test('may have a method of its name', () => {
    expect(() => checkPolicies({ name: 'v1', policies, schemas: actions(['publish']) })).not.toThrow()
  })

  test('may have rules for it, with a condition only where there is a row to hold it against', () => {
    class Conditional extends Policy<'Post', 'publish' | 'import'> {
      readonly action: 'publish' | 'import'
      constructor(action: 'publish' | 'import') {
        super()
        this.action = action
      }
      override abilities({ can }: Rules<'Post', 'publish' | 'import'>) {
        can(this.action, { authorId: 1 })
      }
    }
    const schema = schemaOf(actions(['publish'], ['import', { on: 'collection' }]), 'Post')
    const rulesOf = (action: 'publish' | 'import') => compileRules(new Conditional(action), schema, resources, null)
    expect(asWhere(rulesOf('publish').conditionFor('publish'), 'Post', resources)).toEqual({ authorId: 1 })
    expect(() => rulesOf('import')).toThrow('the rule for import has a condition, but import has no row')
  })

  test('may not, where no server has the action', () => {
    expect(() => checkPolicies({ name: 'v1', policies, schemas: actions(['publis']) })).toThrow(
      'publish is no action of Post. Did you mean publis?',
    )
  })
})

test.each([
  [{ page: string() }, "action('slots') of Post: the parameter page of its query means something else already."],
  [{ 'my-day': string() }, "action('slots') of Post: the parameter my-day of its query needs letters and digits"],
  [{ day: 'a string' }, "action('slots') of Post: query: the rule of day is no yup schema."],
])('is refused at boot as a query: %o', (query, message) => {
  const schema = schemaOf(actions(['slots', { method: 'GET', query: query as never }]), 'Post')
  const action = [...schema.actions.values()][0]
  expect(() => actionQueryRules(schema, action as never)).toThrow(message)
})
