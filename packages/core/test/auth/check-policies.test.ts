import type { Action } from '@prismapi/jsonapi/schema/actions'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import { checkPolicies, checkRulesOf } from '../../src/auth/check-policies.ts'
import { type AnyPolicy, type AnyRules, Policy } from '../../src/auth/policy.ts'
import { declaredRules } from '../../src/auth/rules.ts'
import { openPosts, posts, registry, registryOf, resourcesFor } from './fixture.ts'

/** Servers that share their policies. */
const checkShared = (policies: ReadonlyMap<string, AnyPolicy>, ...registries: readonly SchemaRegistry[]) =>
  checkPolicies(...registries.map((schemas, i) => ({ name: `v${i + 1}`, policies, schemas })))

const check = (policy: AnyPolicy) => checkShared(new Map([['Post', policy]]), registry)

class Good extends Policy<'Post'> {
  override abilities() {}
  override viewAny() {
    return true
  }
  override viewTags() {
    return true
  }
  override detachTags = () => this.#secret()
  readonly limit = 3
  get helper() {
    return 1
  }
  #secret() {
    return true
  }
}

test.each([
  ['can', ({ can }: AnyRules) => can(undefined as never)],
  ['cannot', ({ cannot }: AnyRules) => void cannot(['view', undefined] as never)],
])('a misspelt group of actions is no action: %s', (name, declare) => {
  const policy = new (class extends Policy<'Post'> {
    override abilities(rules: AnyRules) {
      declare(rules)
    }
  })()
  expect(() => declaredRules(policy as AnyPolicy, 'Post', null)).toThrow(
    `${name}() got no action: is the name misspelt? Groups of actions are this.reads, this.rowReads and this.writes.`,
  )
})

describe('methods', () => {
  test('actions of the model are fine, and so is what is private or no method', () => {
    expect(() => check(new Good())).not.toThrow()
  })

  test.each<[string, AnyPolicy, string]>([
    [
      'misspelt',
      new (class extends Policy<'Post'> {
        updte() {}
      })(),
      'updte is no action of Post. Did you mean update?',
    ],
    [
      'of a relation, misspelt',
      new (class extends Policy<'Post'> {
        attachTag() {}
      })(),
      'attachTag is no action of Post. Did you mean attachTags?',
    ],
    [
      'that to-one relations do not have',
      new (class extends Policy<'Post'> {
        attachAuthor() {}
      })(),
      'attachAuthor is no action of Post.',
    ],
    [
      'as a property',
      new (class extends Policy<'Post'> {
        viewany = () => true
      })(),
      'viewany is no action of Post. Did you mean viewAny?',
    ],
    [
      'of a base class',
      new (class extends class extends Policy<'Post'> {
        creat() {}
      } {})(),
      'creat is no action of Post. Did you mean create?',
    ],
    [
      'a helper',
      new (class extends Policy<'Post'> {
        belongsToUser() {}
      })(),
      'A helper belongs outside of the class, or is #private.',
    ],
  ])('%s', (_what, policy, message) => {
    expect(() => check(policy)).toThrow(/^policies\/post\.policy\.ts: /)
    expect(() => check(policy)).toThrow(message)
  })

  test('a policy of a model that no server serves is not looked at', () => {
    const policy = new (class extends Policy<'Post'> {
      nonsense() {}
    })()
    expect(checkShared(new Map([['Other', policy]]), registry)).toEqual(['posts', 'users', 'tags'])
  })

  test('a relation that one of the servers has is enough', () => {
    const policy = new (class extends Policy<'Post'> {
      viewEditor() {}
    })()
    const editor = { ...posts, relations: new Map([['editor', { ...posts.relations.get('author'), name: 'editor' }]]) }
    expect(() => checkShared(new Map([['Post', policy]]), registry, registryOf(editor as typeof posts))).not.toThrow()
    expect(() => check(policy)).toThrow('viewEditor is no action of Post')
  })
})

describe('types without a policy', () => {
  test('are named once, though several servers have them', () => {
    expect(checkShared(new Map([['Post', new Good()]]), registry, registry)).toEqual(['users', 'tags'])
  })

  test('are not named where nobody is asked for permission', () => {
    expect(checkShared(new Map(), registryOf(openPosts))).toEqual([])
  })
})

describe('servers with policies of their own', () => {
  class OnlyPublic extends Policy<'Post'> {
    publish() {
      return true
    }
  }
  const withPublish = registryOf({ ...posts, actions: new Map([['publish', { name: 'publish' } as Action]]) })
  const server = (name: string, schemas: SchemaRegistry, policy: AnyPolicy | null) => ({
    name,
    schemas,
    policies: new Map(policy ? [['Post', policy]] : []),
  })

  test('a method is an action of a server that asks the policy, and not of another one', () => {
    const [own, shared] = [new OnlyPublic(), new Good()]
    expect(() => checkPolicies(server('v1', registry, shared), server('public', withPublish, own))).not.toThrow()
    expect(() => checkPolicies(server('v1', withPublish, shared), server('public', registry, own))).toThrow(
      'publish is no action of Post.',
    )
  })

  test('a type that one of them denies for want of a policy is named with the server', () => {
    expect(checkPolicies(server('v1', registry, null), server('public', registry, new Good()))).toEqual([
      'posts on v1',
      'users',
      'tags',
    ])
  })
})

describe('an action of a schema class', () => {
  const withAction = (name: string) => registryOf({ ...posts, actions: new Map([[name, { name } as Action]]) })

  test.each([
    'update',
    'viewTrashed',
    'viewTags',
    'attachTags',
    'updateAuthor',
    'abilities',
    'reads',
    'rowReads',
    'writes',
    'toString',
  ])('cannot be called %s', (name) => {
    expect(() => checkShared(new Map(), withAction(name))).toThrow(
      `action('${name}') of Post: to policies that name means something else already. Give it another one.`,
    )
  })

  test('is one of the names that a policy may have', () => {
    class PostPolicy extends Policy<'Post'> {
      override abilities() {}
      publish() {
        return true
      }
    }
    const policies = new Map([['Post', new PostPolicy()]])
    expect(() => checkShared(policies, withAction('publish'))).not.toThrow()
    expect(() => checkShared(policies, registry)).toThrow('publish is no action of Post.')
  })
})

test('a name that is like no other is told all of them', () => {
  class PostPolicy extends Policy<'Post'> {
    somethingElseAltogether() {}
  }
  expect(() => check(new PostPolicy())).toThrow(
    'policies/post.policy.ts: somethingElseAltogether is no action of Post. Its actions are viewAny, create, view, update, delete, forceDelete, viewTrashed, viewAuthor, updateAuthor, viewTags, updateTags, attachTags, detachTags. A helper belongs outside of the class, or is #private.',
  )
})

describe('rules are read at boot', () => {
  const read = (abilities: AnyPolicy['abilities'], sampleUsers: object = {}, model = 'Post') =>
    checkRulesOf(
      {
        policies: new Map([[model, { abilities } as AnyPolicy]]),
        schemas: registry,
        resources: resourcesFor('sqlite'),
      },
      sampleUsers as Readonly<Record<string, unknown>>,
    )
  const misspelt = 'the model Post has no field "titel". Did you mean "title"?'

  test('as a guest has them', () => {
    expect(() => read(({ can }) => can('view', { titel: 'x' }))).toThrow(misspelt)
    expect(() => read(({ can }) => can('view', { title: 'x' }))).not.toThrow()
  })

  test('but not where code asks for a user', () => {
    expect(() => read(({ can }, user) => can('view', { authorId: (user as { id: number }).id }))).not.toThrow()
  })

  test('as each sample user has them', () => {
    const declare: AnyPolicy['abilities'] = ({ can }, user) => {
      if (user) can('view', { titel: 'x' })
    }
    expect(() => read(declare)).not.toThrow()
    expect(() => read(declare, { admin: { id: 1 } })).toThrow(/titel.*\(The rules of admin\.\)$/)
  })

  test('of models that the server has', () => {
    expect(() => read(({ can }) => can('view', { titel: 'x' }), { admin: {} }, 'Nothing')).not.toThrow()
  })
})
