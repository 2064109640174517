import { describe, expect, test } from 'vitest'
import { ResourceRequest } from '../../../src/validation/request/resource-request.ts'
import { string } from '../../../src/validation/rules/rules.ts'
import { errorsOf, invalid, world } from '../fixture.ts'

const full = {
  text: 'a',
  // Five characters.
  short: 'ab😀😀😀',
  key: '00000000-0000-4000-8000-000000000001',
  int: 2 ** 31 - 1,
  small: -32_768,
  big: '9223372036854775807',
  float: 1.5,
  price: '1234.56',
  isOn: false,
  at: '2024-02-29T00:00Z',
  data: { any: ['thing'] },
  file: 'YQ==',
  role: 'EDITOR',
  words: ['a', ''],
  pin: '1234',
}
const errorsFor = (attributes: object) => errorsOf(world().create('Sample', { attributes: { ...attributes } }).done)

describe('from the columns', () => {
  test('every kind accepts its own values', async () => {
    expect(await errorsFor(full)).toEqual([])
  })

  test('what has neither a default nor null is required', async () => {
    expect(await errorsFor({})).toEqual([
      invalid('/data', 'The text field is required.', 'required', 'text'),
      invalid('/data', 'The pin field is required.', 'required', 'pin'),
    ])
  })

  test.each([
    ['text', '', 'required'],
    ['text', 5, 'string'],
    ['short', 'abcdef', 'max'],
    ['short', '😀😀😀😀😀😀', 'max'],
    ['key', 'x', 'uuid'],
    ['int', 2 ** 31, 'max'],
    ['int', -(2 ** 31) - 1, 'min'],
    ['int', 1.5, 'integer'],
    ['small', 32_768, 'max'],
    ['big', 5, 'bigint'],
    ['big', '9223372036854775808', 'bigint'],
    ['float', '1.5', 'number'],
    ['price', 1.5, 'decimal'],
    ['price', '12345.6', 'decimal'],
    ['price', '1.234', 'decimal'],
    ['isOn', 0, 'boolean'],
    ['isOn', null, 'nullable'],
    ['at', '2024-02-30T00:00Z', 'dateTime'],
    ['file', 'a', 'bytes'],
    ['role', 'KING', 'enumOf'],
    ['words', 'a', 'array'],
    ['words', null, 'nullable'],
    ['pin', null, 'required'],
  ])('%s refuses %j', async (name, value, code) => {
    expect(await errorsFor({ ...full, [name]: value })).toMatchObject([
      { code, source: { pointer: `/data/attributes/${name}` } },
    ])
  })

  test.each(['short', 'key', 'int', 'big', 'float', 'price', 'at', 'data', 'file', 'role'])(
    '%s may be null',
    async (name) => {
      expect(await errorsFor({ ...full, [name]: null })).toEqual([])
    },
  )

  test('elements of a list are no null', async () => {
    expect(await errorsFor({ ...full, words: ['a', null] })).toMatchObject([
      { status: '422', source: { pointer: '/data/attributes/words/1' } },
    ])
  })

  test('enum values are named', async () => {
    expect(await errorsFor({ ...full, role: 'KING' })).toEqual([
      invalid('/data/attributes/role', 'The role field must be one of MEMBER, EDITOR, ADMIN.', 'enumOf'),
    ])
  })

  test('what the database keeps is ignored', async () => {
    const { attributes } = await world().create('Sample', { attributes: { ...full, madeAt: 'x' } }).done
    expect(attributes.has('madeAt')).toBe(false)
  })
})

describe('on update', () => {
  const row = {
    ...full,
    id: 1,
    big: 5n,
    price: { toFixed: () => '1' },
    at: new Date(),
    file: new Uint8Array(),
    place: 'a',
    position: null,
    madeAt: new Date(),
  }
  const update = (more: object, sent: object) =>
    errorsOf(world().update('Sample', { ...row, ...more }, { attributes: { ...sent } }).done)

  test('a write-only field is not asked for again', async () => {
    expect(await update({}, { text: 'b' })).toEqual([])
  })
  test('a row that would break today’s rules can be changed elsewhere', async () => {
    expect(await update({ text: '', short: 'far too long' }, { int: 1 })).toEqual([])
    expect(await update({ text: '' }, { text: '' })).toHaveLength(1)
  })
})

describe('from the relations', () => {
  const post = { title: 'a', slug: 'a', content: 'a' }
  test('a foreign key that cannot be null is required', async () => {
    expect(await errorsOf(world().create('Post', { attributes: post }).done)).toEqual([
      invalid('/data', 'The author field is required.', 'required', 'author'),
    ])
  })
  test('unless a creation hook may fill it', async () => {
    expect(await errorsOf(world({ hooks: ['Post'] }).create('Post', { attributes: post }).done)).toEqual([])
  })
  test('others may be left out or emptied', async () => {
    const sent = { attributes: { title: 'a', url: 'u' }, relationships: { owner: null, tags: [] } }
    expect(await errorsOf(world().create('Video', sent).done)).toEqual([])
  })
  test('a polymorphic one holds any of its types', async () => {
    const about = (type: string) =>
      errorsOf(
        world({ hooks: ['Comment'] }).create('Comment', {
          attributes: { content: 'a' },
          relationships: { commentable: { type, id: '1' } },
        }).done,
      )
    expect(await about('posts')).toEqual([])
    expect(await about('tags')).toEqual([
      invalid(
        '/data/relationships/commentable',
        'The commentable field must be a to-one relationship containing posts, videos resources.',
        'toOne',
      ),
    ])
  })
})

test('inferred() can be extended', async () => {
  class PostRequest extends ResourceRequest<'Post'> {
    override rules() {
      const { author: _, ...rest } = this.inferred()
      return { ...rest, title: string().required().max(3) }
    }
  }
  const { create } = world({ request: { Post: PostRequest } })
  expect(await errorsOf(create('Post', { attributes: { title: 'abcd', slug: 'a' } }).done)).toEqual([
    invalid('/data', 'The content field is required.', 'required', 'content'),
    invalid('/data/attributes/title', 'The title field must not be greater than 3 characters.', 'max'),
  ])
})
