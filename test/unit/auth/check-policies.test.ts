import { describe, expect, test } from 'vitest'
import { checkPolicies } from '../../../src/auth/check-policies.ts'
import { type AnyPolicy, Policy } from '../../../src/auth/policy.ts'
import { openPosts, posts, registry, registryOf } from './fixture.ts'

const check = (policy: AnyPolicy) => checkPolicies(new Map([['Post', policy]]), registry)

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
    expect(checkPolicies(new Map([['Other', policy]]), registry)).toEqual(['posts', 'users', 'tags'])
  })

  test('a relation that one of the servers has is enough', () => {
    const policy = new (class extends Policy<'Post'> {
      viewEditor() {}
    })()
    const editor = { ...posts, relations: new Map([['editor', { ...posts.relations.get('author'), name: 'editor' }]]) }
    expect(() => checkPolicies(new Map([['Post', policy]]), registry, registryOf(editor as typeof posts))).not.toThrow()
    expect(() => check(policy)).toThrow('viewEditor is no action of Post')
  })
})

describe('types without a policy', () => {
  test('are named once, though several servers have them', () => {
    expect(checkPolicies(new Map([['Post', new Good()]]), registry, registry)).toEqual(['users', 'tags'])
  })

  test('are not named where nobody is asked for permission', () => {
    expect(checkPolicies(new Map(), registryOf(openPosts))).toEqual([])
  })
})
