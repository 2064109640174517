import { DbNull } from '@prismapi/jsonapi/model/prisma-values'
import { Schema } from '@prismapi/jsonapi/schema/schema'
import { describe, expect, test } from 'vitest'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
import { confirmed, requiredWith, same, unique } from '../../src/validation/rules/field-rules.ts'
import { array, dateTime, integer, json, object, string, toMany, toOne } from '../../src/validation/rules/rules.ts'
import { errorsOf, invalid, world } from './fixture.ts'

const users = [{ id: 1 }, { id: 2 }]
const tags = [{ id: 1 }, { id: 2 }]
const row = {
  id: 7,
  title: 'Old',
  slug: 'old',
  content: 'Text',
  synopsis: null,
  publishedAt: new Date('2024-01-02T03:04:05.678Z'),
  deletedAt: null,
  createdAt: new Date('2024-01-01T00:00:00Z'),
  updatedAt: new Date('2024-01-01T00:00:00Z'),
  authorId: 1,
}
const tables = { User: users, Tag: tags, Post: [row, { ...row, id: 8, slug: 'taken' }] }
const author = { type: 'users', id: '1' }

class PostRequest extends ResourceRequest<'Post'> {
  override rules() {
    return {
      title: string().required().max(10),
      slug: string()
        .required()
        .matches(/^[a-z]+$/)
        .test(unique()),
      content: string().required(),
      synopsis: string().nullable(),
      publishedAt: dateTime().nullable(),
      author: toOne(),
      tags: toMany().max(1),
    }
  }
}

const posts = (more: object = {}) => world({ request: { Post: PostRequest }, tables, ...more })
const valid = { title: 'New', slug: 'new', content: 'Text' }

describe('create', () => {
  test('answers with what has a rule and was sent, as the columns store it', async () => {
    const sent = {
      attributes: { ...valid, publishedAt: '2024-05-06T07:08:09+01:00' },
      relationships: { author, tags: [] },
    }
    expect(await posts().create('Post', sent).done).toMatchObject({
      id: null,
      attributes: new Map<string, unknown>([
        ['title', 'New'],
        ['slug', 'new'],
        ['content', 'Text'],
        ['publishedAt', new Date('2024-05-06T06:08:09Z')],
      ]),
      relationships: new Map<string, unknown>([
        ['author', author],
        ['tags', []],
      ]),
    })
  })

  test('ignores read-only fields, and fields without a rule', async () => {
    class TitleOnly extends ResourceRequest<'Post'> {
      override rules() {
        return { title: string(), createdAt: dateTime() }
      }
    }
    const sent = { attributes: { title: 'a', content: 5, createdAt: 'x' }, relationships: { author } }
    const { attributes, relationships } = await world({ request: { Post: TitleOnly } }).create('Post', sent).done
    expect([...attributes]).toEqual([['title', 'a']])
    expect([...relationships]).toEqual([])
  })

  test('a required field that is omitted is named, and the pointer is /data', async () => {
    expect(await errorsOf(posts().create('Post', { attributes: { title: 'a' } }).done)).toEqual([
      invalid('/data', 'The slug field is required.', 'required', 'slug'),
      invalid('/data', 'The content field is required.', 'required', 'content'),
    ])
  })

  test('all failures are reported in the order of the document, omitted fields first', async () => {
    const sent = {
      attributes: { publishedAt: 'today', slug: 'A!', title: null, synopsis: 5 },
      relationships: {
        tags: [
          { type: 'tags', id: '1' },
          { type: 'tags', id: '2' },
        ],
        author: null,
      },
    }
    expect(await errorsOf(posts().create('Post', sent).done)).toEqual([
      invalid('/data', 'The content field is required.', 'required', 'content'),
      invalid('/data/attributes/publishedAt', 'The published at is not a valid ISO 8601 date and time.', 'dateTime'),
      invalid('/data/attributes/slug', 'The slug format is invalid.', 'matches'),
      invalid('/data/attributes/title', 'The title field is required.', 'required'),
      invalid('/data/attributes/synopsis', 'The synopsis field must be a string.', 'string'),
      invalid('/data/relationships/tags', 'The tags field must not have more than 1 items.', 'max'),
      invalid('/data/relationships/author/data', 'The author field is required.', 'required'),
    ])
  })

  test('an empty string is missing, and nothing else is said of it', async () => {
    expect(await errorsOf(posts().create('Post', { attributes: { ...valid, slug: '' } }).done)).toEqual([
      invalid('/data/attributes/slug', 'The slug field is required.', 'required'),
    ])
  })

  test('identifiers of another type are pointed at, one by one', async () => {
    const sent = { attributes: valid, relationships: { author: { type: 'tags', id: '1' }, tags: [author] } }
    expect(await errorsOf(posts().create('Post', sent).done)).toEqual([
      invalid(
        '/data/relationships/author',
        'The author field must be a to-one relationship containing users resources.',
        'toOne',
      ),
      invalid(
        '/data/relationships/tags/data/0',
        'The tags field must be a to-many relationship containing tags resources.',
        'toMany',
      ),
    ])
  })
})

describe('pointers into values', () => {
  class SampleRequest extends ResourceRequest {
    override rules() {
      const keys = object({ 'a/b~c': integer(), 'x.y': integer(), inner: object({ must: string().required() }) })
      return {
        text: string(),
        data: keys,
        words: array(string()),
        'data.list.*': integer().required(),
        'data.deep.must': string().required(),
      }
    }
  }
  const errorsFor = (attributes: object) =>
    errorsOf(world({ request: { Sample: SampleRequest } }).create('Sample', { attributes: { ...attributes } }).done)

  test('lead to the member, escaped; what is missing is pointed at by what would hold it', async () => {
    const data = { 'a/b~c': 'x', 'x.y': 'x', inner: {}, list: [1, 'x', null], deep: {} }
    expect(await errorsFor({ text: 'a', data })).toEqual([
      invalid('/data/attributes/data/a~1b~0c', 'The data.a/b~c field must be an integer.', 'integer'),
      invalid('/data/attributes/data/x.y', 'The data.x.y field must be an integer.', 'integer'),
      invalid('/data/attributes/data/inner', 'The data.inner.must field is required.', 'required', 'data.inner.must'),
      invalid('/data/attributes/data/list/1', 'The data.list.1 field must be an integer.', 'integer'),
      invalid('/data/attributes/data/list/2', 'The data.list.2 field is required.', 'required'),
      invalid('/data/attributes/data/deep', 'The data.deep.must field is required.', 'required', 'data.deep.must'),
    ])
  })

  test('a path below a field that is missing is pointed at by /data', async () => {
    expect(await errorsFor({ text: 'a' })).toEqual([
      invalid('/data', 'The data.deep.must field is required.', 'required', 'data.deep.must'),
    ])
  })

  test('elements of a list are pointed at', async () => {
    expect(await errorsFor({ words: ['a', 5], data: { deep: { must: 'x' } } })).toEqual([
      invalid('/data/attributes/words/1', 'The words.1 field must be a string.', 'string'),
    ])
  })
})

describe('update', () => {
  test('passes though others are required, and answers with what was sent alone', async () => {
    const { attributes, relationships } = await posts().update('Post', row, { attributes: { synopsis: 'x' } }).done
    expect([...attributes]).toEqual([['synopsis', 'x']])
    expect([...relationships]).toEqual([])
  })

  test('a required field may not be emptied', async () => {
    expect(await errorsOf(posts().update('Post', row, { attributes: { title: null, content: '' } }).done)).toEqual([
      invalid('/data/attributes/title', 'The title field is required.', 'required'),
      invalid('/data/attributes/content', 'The content field is required.', 'required'),
    ])
  })

  test('a current value that breaks a rule is named, and the pointer is /data', async () => {
    const long = { ...row, title: 'far too long a title' }
    expect(await errorsOf(posts().update('Post', long, { attributes: { synopsis: 'x' } }).done)).toEqual([
      invalid('/data', 'The title field must not be greater than 10 characters.', 'max', 'title'),
    ])
  })

  test('asks the database nothing more when no unique field changes', async () => {
    const { plans, update } = posts()
    await update('Post', row, { attributes: { title: 'x', slug: 'old' }, relationships: {} }).done
    expect(plans).toEqual([])
  })
})

describe('relationships', () => {
  test('the rules of the relationship are applied, and the document is the root', async () => {
    const many = [1, 2].map((id) => ({ type: 'tags', id: String(id) }))
    const { change } = posts()
    expect(await errorsOf(change('attach', 'Post', row, { relation: 'tags', linkage: many }).done)).toEqual([
      invalid('/data', 'The tags field must not have more than 1 items.', 'max'),
    ])
    expect(
      await errorsOf(change('updateRelationship', 'Post', row, { relation: 'author', linkage: null }).done),
    ).toEqual([invalid('/data', 'The author field is required.', 'required')])
    expect(await errorsOf(change('attach', 'Post', row, { relation: 'tags', linkage: [author] }).done)).toEqual([
      invalid('/data/0', 'The tags field must be a to-many relationship containing tags resources.', 'toMany'),
    ])
  })

  test('the linkage is all that is written', async () => {
    const linkage = [{ type: 'tags', id: '1' }]
    const validated = await posts().change('detach', 'Post', row, { relation: 'tags', linkage }).done
    expect([validated.attributes.size, [...validated.relationships]]).toEqual([0, [['tags', linkage]]])
  })

  test('rules below the name count, rules of a longer name do not', async () => {
    class TagSchema extends Schema<'Tag'> {
      override fields() {
        return [this.attribute('postsCode').virtual()]
      }
    }
    class TagRequest extends ResourceRequest<'Tag', 'postsCode'> {
      override rules() {
        return { posts: toMany(), 'posts.*.id': string().matches(/^1$/), postsCode: string().required() }
      }
    }
    const { change } = world({ request: { Tag: TagRequest }, schemas: { Tag: TagSchema } })
    const linkage = [
      { type: 'posts', id: '1' },
      { type: 'posts', id: '2' },
    ]
    expect(await errorsOf(change('attach', 'Tag', { id: 1 }, { relation: 'posts', linkage }).done)).toEqual([
      invalid('/data/1/id', 'The posts.1.id format is invalid.', 'matches'),
    ])
  })

  test('without a rule it cannot be changed: 403', async () => {
    class NoAuthor extends ResourceRequest<'Post'> {
      override rules() {
        return { title: string() }
      }
    }
    const { change } = world({ request: { Post: NoAuthor } })
    expect(
      await errorsOf(change('updateRelationship', 'Post', row, { relation: 'author', linkage: author }).done),
    ).toEqual([{ title: 'Forbidden', status: '403', detail: 'The author relationship cannot be modified.' }])
  })

  test('a foreign key that cannot be null is not emptied, however loose the rule', async () => {
    class Loose extends ResourceRequest<'Post'> {
      override rules() {
        return { author: toOne().nullable() }
      }
    }
    const { change } = world({ request: { Post: Loose } })
    expect(
      await errorsOf(change('updateRelationship', 'Post', row, { relation: 'author', linkage: null }).done),
    ).toEqual([invalid('/data', 'The author field is required.', 'required')])
  })
})

describe('client-generated ids', () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const video = { title: 'a', url: 'https://example.org' }

  test('are kept, with a rule or without', async () => {
    class VideoRequest extends ResourceRequest<'Video'> {
      override rules() {
        return { title: string() }
      }
    }
    expect((await world().create('Video', { id, attributes: video }).done).id).toBe(id)
    expect((await world({ request: { Video: VideoRequest } }).create('Video', { id }).done).id).toBe(id)
    expect((await world().create('Video', { attributes: video }).done).id).toBe(null)
  })

  test('must match the pattern of the schema', async () => {
    expect(await errorsOf(world().create('Video', { id: 'x', attributes: video }).done)).toEqual([
      invalid('/data/id', 'The id format is invalid.', 'clientId'),
    ])
  })
})

describe('uniqueness', () => {
  test('a clash is reported at the field, once the other rules have passed', async () => {
    const { create, plans } = posts()
    expect(await errorsOf(create('Post', { attributes: { ...valid, slug: 'taken' } }).done)).toEqual([
      invalid('/data/attributes/slug', 'The slug has already been taken.', 'unique'),
    ])
    plans.length = 0
    expect(await errorsOf(create('Post', { attributes: { ...valid, title: 5, slug: 'taken' } }).done)).toEqual([
      invalid('/data/attributes/title', 'The title field must be a string.', 'string'),
    ])
    expect(plans).toEqual([])
  })

  test('a row that a scope hides clashes too; the row itself does not', async () => {
    const { create, update } = posts({ scopes: { Post: { id: 0 } } })
    expect(await errorsOf(create('Post', { attributes: { ...valid, slug: 'taken' } }).done)).toHaveLength(1)
    expect(await errorsOf(update('Post', row, { attributes: { slug: 'taken' } }).done)).toHaveLength(1)
    expect(await errorsOf(update('Post', { ...row, slug: 'x' }, { attributes: { slug: 'old' } }).done)).toEqual([])
  })

  test('of several fields together, with what is current for those that were not sent', async () => {
    const current = { id: 1, text: 'a', place: 'here', position: 1, words: [], isOn: true, madeAt: new Date() }
    const { update } = world({ tables: { Sample: [current, { ...current, id: 2, position: 2 }] } })
    expect(await errorsOf(update('Sample', current, { attributes: { position: 2 } }).done)).toEqual([
      invalid('/data/attributes/position', 'The position has already been taken.', 'unique'),
    ])
    expect(await errorsOf(update('Sample', current, { attributes: { position: 3 } }).done)).toEqual([])
    expect(await errorsOf(update('Sample', current, { attributes: { position: 2, place: 'there' } }).done)).toEqual([])
    expect(await errorsOf(update('Sample', current, { attributes: { position: null } }).done)).toEqual([])
  })

  test('a foreign key can be unique', async () => {
    const { create } = world({ tables: { User: users, Profile: [{ id: 1, userId: 1 }] } })
    expect(await errorsOf(create('Profile', { relationships: { user: author } }).done)).toEqual([
      invalid('/data/relationships/user', 'The user has already been taken.', 'unique'),
    ])
    expect(await errorsOf(create('Profile', { relationships: { user: { type: 'users', id: '2' } } }).done)).toEqual([])
  })
})

describe('however loose a rule, a column gets only what it can hold', () => {
  const loose = Object.fromEntries(
    ['text', 'int', 'small', 'big', 'float', 'price', 'isOn', 'at', 'data', 'file', 'role', 'words', 'pin'].map(
      (name) => [name, json().nullable()],
    ),
  )
  class Loose extends ResourceRequest {
    override rules() {
      return loose
    }
  }
  const errorsFor = (attributes: Readonly<Record<string, unknown>>, provider: 'sqlite' | 'postgresql' = 'sqlite') =>
    errorsOf(world({ request: { Sample: Loose }, provider }).create('Sample', { attributes }).done)

  test.each([
    ['text', { connect: { id: 1 } }, 'string'],
    ['text', 5, 'string'],
    ['text', null, 'nullable'],
    ['int', { increment: 1 }, 'integer'],
    ['int', 2 ** 31, 'max'],
    ['int', 1.5, 'integer'],
    ['int', '1', 'integer'],
    ['small', 40_000, 'max'],
    ['big', '9223372036854775808', 'bigint'],
    ['big', 'x', 'bigint'],
    ['big', { increment: '1' }, 'bigint'],
    ['float', Number.POSITIVE_INFINITY, 'number'],
    ['float', '1', 'number'],
    ['price', 'NaN', 'decimal'],
    ['price', { set: '1' }, 'decimal'],
    ['isOn', 1, 'boolean'],
    ['at', 'tomorrow', 'dateTime'],
    ['at', {}, 'dateTime'],
    ['file', 5, 'bytes'],
    ['file', { length: 3 }, 'bytes'],
    ['role', 'KING', 'enumOf'],
    ['words', { set: ['a'] }, 'array'],
    ['words', 'a', 'array'],
    ['words', [1], 'array'],
  ])('%s refuses %j', async (name, value, rule) => {
    const errors = await errorsFor({ [name]: value })
    expect(errors).toMatchObject([{ status: '422', code: rule, source: { pointer: `/data/attributes/${name}` } }])
  })

  test('values that fit are stored', async () => {
    const attributes = {
      int: -(2 ** 31),
      big: '-9223372036854775808',
      price: '1.10',
      file: 'YWI=',
      data: { increment: 1, __proto__: 5 },
      words: ['a'],
      role: 'ADMIN',
    }
    const filled = await world({ request: { Sample: Loose } }).create('Sample', { attributes }).done
    expect([...filled.attributes]).toEqual([
      ['int', -(2 ** 31)],
      ['big', -(2n ** 63n)],
      ['price', '1.10'],
      ['file', new Uint8Array([97, 98])],
      ['data', { increment: 1 }],
      ['words', ['a']],
      ['role', 'ADMIN'],
    ])
  })

  test('null in a JSON column is the absence of a value', async () => {
    const filled = await world({ request: { Sample: Loose } }).create('Sample', { attributes: { data: null } }).done
    expect(filled.attributes.get('data')).toBe(DbNull)
  })

  test('a lone surrogate is refused, wherever it stands', async () => {
    const detail = (name: string) => `The ${name} field must not contain characters that cannot be stored.`
    expect(await errorsFor({ text: 'a\ud800', data: { a: ['x', '\udfff'] } })).toEqual([
      invalid('/data/attributes/text', detail('text'), 'storable'),
      invalid('/data/attributes/data/a/1', detail('data.a.1'), 'storable'),
    ])
    expect(await errorsFor({ data: { '\ud800': 1 } })).toEqual([
      invalid('/data/attributes/data', detail('data'), 'storable'),
    ])
  })

  test('a null character is refused where text cannot hold it', async () => {
    expect(await errorsFor({ text: 'a\0b' }, 'postgresql')).toHaveLength(1)
    expect(await errorsFor({ data: { 'a\0': 1 } }, 'postgresql')).toHaveLength(1)
    expect(await errorsFor({ text: 'a\0b' }, 'sqlite')).toEqual([])
  })
})

describe('passwords', () => {
  class UserRequest extends ResourceRequest<'User', 'password' | 'passwordConfirmation'> {
    override rules() {
      const password = string().min(12)
      return {
        password: this.isCreating() ? password.required().test(confirmed('passwordConfirmation')) : password,
        passwordConfirmation: string().test(requiredWith('password')).test(same('password')),
      }
    }
  }
  const { create, update } = world({ request: { User: UserRequest } })
  const secret = 'correct horse battery'
  const user = {
    id: 1,
    name: 'Ann',
    email: 'ann@example.com',
    role: 'MEMBER',
    createdAt: new Date(),
    updatedAt: new Date(),
  }

  test('an attribute without a column is validated and handed on', async () => {
    const sent = { attributes: { password: secret, passwordConfirmation: secret } }
    expect([...(await create('User', sent).done).attributes]).toEqual(Object.entries(sent.attributes))
  })

  test('it must be confirmed', async () => {
    expect(await errorsOf(create('User', { attributes: { password: secret } }).done)).toEqual([
      invalid(
        '/data',
        'The password confirmation field is required when password is present.',
        'requiredWith',
        'passwordConfirmation',
      ),
      invalid('/data/attributes/password', 'The password field confirmation does not match.', 'confirmed'),
    ])
    const sent = { attributes: { password: secret, passwordConfirmation: 'another one' } }
    expect(await errorsOf(update('User', user, sent).done)).toEqual([
      invalid('/data/attributes/passwordConfirmation', 'The password confirmation field must match password.', 'same'),
    ])
  })

  test('an update that does not send it is not about it', async () => {
    expect(await errorsOf(update('User', user, { attributes: {} }).done)).toEqual([])
  })
})
