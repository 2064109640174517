import { describe, expect, test } from 'vitest'
import type { RequestFacts } from '../../src/validation/request/request-base.ts'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
import { string, toOne } from '../../src/validation/rules/rules.ts'
import { errorsOf, invalid, world } from './fixture.ts'

const admin = { id: 1, role: 'ADMIN' }
const member = { id: 3, role: 'MEMBER' }
const tag = { attributes: { name: 'a' } }

/** The errors while as many requests as there are users create a tag, one after the other. */
async function create(Class: new (facts: RequestFacts) => ResourceRequest<'Tag'>, users: readonly object[]) {
  const errors = []
  for (const user of users)
    errors.push(await errorsOf(world({ request: { Tag: Class }, user }).create('Tag', tag).done))
  return errors
}

describe('rules()', () => {
  test('is called once for each request that is validated', async () => {
    let made = 0
    class Counted extends ResourceRequest<'Tag'> {
      override rules() {
        made++
        return { name: this.isCreating() ? string().required() : string() }
      }
    }
    const { create, update } = world({ request: { Tag: Counted } })
    for (let i = 0; i < 3; i++) await create('Tag', tag).done
    expect(made).toBe(3)
    await update('Tag', { id: 1, name: 'a' }, {}).done
    expect(made).toBe(4)
    expect(await errorsOf(create('Tag', {}).done)).toHaveLength(1)
  })

  test('may return other rules for each request, whatever they depend on', async () => {
    let max = 0
    class Changing extends ResourceRequest<'Tag'> {
      override rules() {
        return { name: string().max(max++) }
      }
    }
    const { create } = world({ request: { Tag: Changing } })
    expect(await errorsOf(create('Tag', tag).done)).toHaveLength(1)
    expect(await errorsOf(create('Tag', tag).done)).toEqual([])
  })

  test('that throws fails the request, and is not called again', async () => {
    let made = 0
    class Broken extends ResourceRequest<'Tag'> {
      override rules(): never {
        made++
        throw new Error('no rules today')
      }
    }
    await expect(world({ request: { Tag: Broken } }).create('Tag', tag).done).rejects.toThrow('no rules today')
    expect(made).toBe(1)
  })
})

describe('rules that look at the request are its own', () => {
  const text = (user: unknown) => `for ${(user as { id: number } | null)?.id}`

  test('when rules() reads the user', async () => {
    class Reading extends ResourceRequest<'Tag'> {
      override rules() {
        return { name: string().max(0, text(this.user)) }
      }
    }
    expect(await create(Reading, [admin, member])).toEqual([
      [invalid('/data/attributes/name', 'for 1', 'max')],
      [invalid('/data/attributes/name', 'for 3', 'max')],
    ])
  })

  test('when rules() reads the row, or the data', async () => {
    class Reading extends ResourceRequest<'Tag'> {
      override rules() {
        return { name: string().max(0, `${this.model()?.id} ${this.validationData().name}`) }
      }
    }
    const { update } = world({ request: { Tag: Reading } })
    for (const id of [1, 2]) {
      expect(await errorsOf(update('Tag', { id, name: 'b' }, tag).done)).toEqual([
        invalid('/data/attributes/name', `${id} a`, 'max'),
      ])
    }
  })

  test('when a field of the class reads the user', async () => {
    class Reading extends ResourceRequest<'Tag'> {
      readonly #text = text(this.user)
      override rules() {
        return { name: string().max(0, this.#text) }
      }
    }
    expect(await create(Reading, [admin, member])).toMatchObject([[{ detail: 'for 1' }], [{ detail: 'for 3' }]])
  })

  test('when a test within a rule reads the user only as it runs', async () => {
    class Reading extends ResourceRequest<'Tag'> {
      override rules() {
        return { name: string().test('mine', () => this.user?.role === 'ADMIN') }
      }
    }
    const failed = [invalid('/data/attributes/name', 'The name field is invalid.', 'mine')]
    const { ctx, ...steps } = world({ request: { Tag: Reading }, user: admin })
    expect(await errorsOf(steps.create('Tag', tag).done)).toEqual([])
    Object.assign(ctx, { user: member })
    expect(await errorsOf(steps.create('Tag', tag).done)).toEqual(failed)
    Object.assign(ctx, { user: admin })
    expect(await errorsOf(steps.create('Tag', tag).done)).toEqual([])
  })

  test('when a test reads the user late', async () => {
    class Late extends ResourceRequest<'Tag'> {
      override rules() {
        const isAdmin = async () => {
          await Promise.resolve()
          return this.user?.role === 'ADMIN'
        }
        return { name: string().test('mine', isAdmin) }
      }
    }
    const { ctx, ...steps } = world({ request: { Tag: Late }, user: member })
    const first = steps.create('Tag', tag)
    const second = steps.create('Tag', tag)
    expect(await errorsOf(first.done)).toHaveLength(1)
    expect(await errorsOf(second.done)).toHaveLength(1)
    Object.assign(ctx, { user: admin })
    expect(await errorsOf(steps.create('Tag', tag).done)).toEqual([])
  })

  test('a field whose rule only some have is ignored for the others', async () => {
    class PostRequest extends ResourceRequest<'Post'> {
      override rules() {
        return { title: string(), ...(this.user?.role === 'ADMIN' && { author: toOne() }) }
      }
    }
    const author = { type: 'users', id: '2' }
    const written = []
    for (const user of [admin, member, null]) {
      const { create } = world({ request: { Post: PostRequest }, user })
      written.push((await create('Post', { relationships: { author } }).done).relationships.size)
    }
    expect(written).toEqual([1, 0, 0])
  })
})

test("yup's when() can look at the user and the kind", async () => {
  class Conditional extends ResourceRequest<'Tag'> {
    override rules() {
      return {
        name: string().when(['$user', '$isCreating'], ([user, isCreating], rule) =>
          user?.role === 'ADMIN' && isCreating ? rule : rule.max(0),
        ),
      }
    }
  }
  const { ctx, ...steps } = world({ request: { Tag: Conditional }, user: admin })
  expect(await errorsOf(steps.create('Tag', tag).done)).toEqual([])
  Object.assign(ctx, { user: member })
  expect(await errorsOf(steps.create('Tag', tag).done)).toHaveLength(1)
})
