import { describe, expect, test } from 'vitest'
import type { Validator } from '../../src/validation/request/request-base.ts'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
import { boolean, integer, string } from '../../src/validation/rules/rules.ts'
import { errorsOf, invalid, world } from './fixture.ts'

const tag = { id: 1, name: 'a' }

describe('messages', () => {
  class TagRequest extends ResourceRequest<'Tag'> {
    override rules() {
      return {
        name: string()
          .required()
          .min(2, 'Longer, please.')
          .max(3)
          .matches(/^[a-z]*$/),
      }
    }
    override messages() {
      return { 'name.max': ':attribute: at most :max!', required: 'Give a :attribute, :nothing.' }
    }
    override attributes() {
      return { name: 'label' }
    }
  }
  const { create } = world({ request: { Tag: TagRequest } })
  const errorsFor = (name: unknown) => errorsOf(create('Tag', { attributes: { name } }).done)
  const at = '/data/attributes/name'

  test('of the class for the field and rule come first, with name and parameters filled in', async () => {
    expect(await errorsFor('abcd')).toEqual([invalid(at, 'label: at most 3!', 'max')])
  })
  test('for a rule hold for every field; what is no parameter stays', async () => {
    expect(await errorsFor(null)).toEqual([invalid(at, 'Give a label, :nothing.', 'required')])
  })
  test('written in the rule come next', async () => {
    expect(await errorsFor('a')).toEqual([invalid(at, 'Longer, please.', 'min')])
  })
  test('are ours otherwise, with the display name', async () => {
    expect(await errorsFor('AB')).toEqual([invalid(at, 'The label format is invalid.', 'matches')])
  })
  test('can be functions', async () => {
    class Spoken extends TagRequest {
      override messages() {
        return {
          'name.max': ({ attribute, value, params }: { attribute: string; value: unknown; params: object }) =>
            `${attribute} ${value} ${'max' in params}`,
        } as never
      }
    }
    const errors = await errorsOf(
      world({ request: { Tag: Spoken } }).create('Tag', { attributes: { name: 'abcd' } }).done,
    )
    expect(errors).toEqual([invalid(at, 'label abcd true', 'max')])
  })
  test('never repeat what the client sent', async () => {
    const errors = await errorsFor({ secret: 'x' })
    expect(errors).toEqual([invalid(at, 'The label field must be a string.', 'string')])
  })
})

describe('withValidator', () => {
  class TagRequest extends ResourceRequest<'Tag'> {
    override rules() {
      return { name: string().required() }
    }
    override withValidator(validator: Validator) {
      if (validator.data.name === 'early') validator.fail('name', 'Too early.', 'time')
      validator.after(async (late) => {
        expect(this.validated()).toEqual(this.isDeleting() ? {} : { name: validator.data.name })
        if (late.data.name === 'late') late.fail('name', 'Too late.')
      })
    }
  }
  const { create, destroy } = world({ request: { Tag: TagRequest } })

  test('fails beside the rules, with the name of its own rule', async () => {
    expect(await errorsOf(create('Tag', { attributes: { name: 'early' } }).done)).toEqual([
      invalid('/data/attributes/name', 'Too early.', 'time'),
    ])
  })
  test('looks once more when the rules have passed', async () => {
    expect(await errorsOf(create('Tag', { attributes: { name: 'late' } }).done)).toEqual([
      invalid('/data/attributes/name', 'Too late.'),
    ])
    expect(await errorsOf(create('Tag', { attributes: { name: 5 } }).done)).toHaveLength(1)
  })
  test('is called for deletions, too', async () => {
    expect(await errorsOf(destroy('Tag', { id: 1, name: 'late' }).done)).toEqual([
      { title: 'Not Deletable', status: '422', detail: 'Too late.' },
    ])
  })
})

describe('deletion', () => {
  class TagRequest extends ResourceRequest<'Tag'> {
    override deleteRules() {
      return { name: string().max(3), 'meta.posts': integer().max(0), 'meta.isOld': boolean().isTrue() }
    }
    override attributes() {
      return { name: 'label' }
    }
    override messages() {
      return { 'name.max': 'never' }
    }
    override deleteMessages() {
      return { 'meta.posts.max': 'A tag with posts cannot be deleted.', 'name.max': 'The :attribute is too dear.' }
    }
    override async metaForDelete(model: { readonly id: number }) {
      return { posts: await this.count('Post', { authorId: model.id }), isOld: true }
    }
  }

  test('a failed rule has its message, and no source', async () => {
    const { destroy } = world({ request: { Tag: TagRequest }, tables: { Post: [{ id: 1, authorId: 1 }] } })
    expect(await errorsOf(destroy('Tag', { id: 1, name: 'long' }).done)).toEqual([
      { code: 'max', title: 'Not Deletable', status: '422', detail: 'The label is too dear.' },
      { code: 'max', title: 'Not Deletable', status: '422', detail: 'A tag with posts cannot be deleted.' },
    ])
  })
  test('is allowed when the rules pass, and without rules', async () => {
    expect(await errorsOf(world({ request: { Tag: TagRequest } }).destroy('Tag', tag).done)).toEqual([])
    expect(await errorsOf(world().destroy('Tag', tag).done)).toEqual([])
  })
})

test('authorize() leaves the decision open unless the class decides', () => {
  expect(
    world()
      .create('Tag', { attributes: { name: 'a' } })
      .request.authorize(),
  ).toBe(null)
})

test('a rule that throws is no failure of the client', async () => {
  class Broken extends ResourceRequest<'Tag'> {
    override rules() {
      return {
        name: string().test('broken', () => {
          throw new Error('out of order')
        }),
      }
    }
  }
  const { create } = world({ request: { Tag: Broken } })
  await expect(create('Tag', { attributes: { name: 'a' } }).done).rejects.toThrow('out of order')
})

test('the kinds of a request', async () => {
  const kinds: object[] = []
  class Kinds extends ResourceRequest<'Tag'> {
    override withValidator() {
      kinds.push({
        creating: this.isCreating(),
        updating: this.isUpdating(),
        either: this.isCreatingOrUpdating(),
        deleting: this.isDeleting(),
        field: this.getFieldName(),
        replaces: this.isUpdatingRelationship(),
        attaches: this.isAttachingRelationship(),
        detaches: this.isDetachingRelationship(),
        modifies: this.isModifyingRelationship(),
      })
    }
  }
  const { create, update, destroy, change } = world({ request: { Tag: Kinds } })
  await create('Tag', { attributes: { name: 'b' } }).done
  await update('Tag', tag, {}).done
  await destroy('Tag', tag).done
  for (const kind of ['updateRelationship', 'attach', 'detach'] as const)
    await change(kind, 'Tag', tag, { relation: 'posts', linkage: [] }).done
  const none = {
    creating: false,
    updating: false,
    either: false,
    deleting: false,
    field: null,
    replaces: false,
    attaches: false,
    detaches: false,
    modifies: false,
  }
  expect(kinds).toEqual([
    { ...none, creating: true, either: true },
    { ...none, updating: true, either: true },
    { ...none, deleting: true },
    { ...none, field: 'posts', modifies: true, replaces: true },
    { ...none, field: 'posts', modifies: true, attaches: true },
    { ...none, field: 'posts', modifies: true, detaches: true },
  ])
})
