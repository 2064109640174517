import { describe, expect, test } from 'vitest'
import { useBoot } from '../../support/boot.ts'
import { read } from '../../support/documentation/pages.ts'

// What a schema class gets wrong stops the start, with its file, the fault and the cure.

const boot = useBoot()

const file = 'src/app/v1/post.schema.js'
const schema = (members: string) => `import { Schema } from 'prismapi'
export default class PostSchema extends Schema {
  ${members}
}`
const fields = (list: string) => `fields() { return [${list}] }`
const start = (members: string) => boot({ [file]: schema(members) })

test('a schema class that is right lets the application start', async () => {
  const { servers } = await start(`
    type = 'articles'
    defaultSort = '-popularity'
    defaultInclude = ['writer']
    fields() {
      return [
        this.attribute('content').named('body'),
        this.attribute('synopsis').named('content'),
        this.attribute('createdAt').hidden(),
        this.relation('author').named('writer'),
        this.relation('tags').countable(),
      ]
    }
    filters() { return [this.filter('createdAt', { where: () => null }), this.filter('synopsis', { where: () => null })] }
    sorts() { return [this.sort('popularity', '-comments.count', 'author.name'), this.sort('createdAt', 'createdAt')] }
  `)
  const articles = servers[0]?.schemas.byType.get('articles')
  expect([...(articles?.attributes.keys() ?? []), ...(articles?.relations.keys() ?? [])]).toEqual([
    'title',
    'slug',
    'body',
    'content',
    'publishedAt',
    'deletedAt',
    'updatedAt',
    'writer',
    'tags',
    'comments',
  ])
})

const columns = 'id, title, slug, content, synopsis, publishedAt, deletedAt, createdAt, updatedAt, authorId'

describe('fields', () => {
  test.each([
    [
      'an attribute that the model lacks',
      "this.attribute('titel').hidden()",
      `attribute('titel'): the model Post has no column titel. It has: ${columns}. An attribute of its own is computed(…) or virtual().`,
    ],
    [
      'a path into what is no Json',
      "this.attribute('title').filterableByPath()",
      "attribute('title').filterableByPath(): Post.title is no single Json column. Remove filterableByPath().",
    ],
    [
      'a column that is to be computed from',
      "this.attribute('excerpt').computed(['contnt'], () => 1)",
      `attribute('excerpt'): the model Post has no column contnt. It has: ${columns}. An attribute of its own is computed(…) or virtual().`,
    ],
    [
      'a computed attribute with the name of a column',
      "this.attribute('title').computed(['slug'], () => 1)",
      "attribute('title'): Post has a column of that name. Give the computed or virtual attribute another name.",
    ],
    [
      'a relation that the model lacks',
      "this.relation('tag').hidden()",
      "relation('tag'): the model Post has no such relation. It has: author, tags, comments.",
    ],
    [
      'an attribute with the name of another',
      "this.attribute('content').named('title')",
      'Post: two fields are called title. Give one of them another name.',
    ],
    [
      'an attribute with the name of a relation',
      "this.attribute('content').named('tags')",
      'Post: two fields are called tags. Give one of them another name.',
    ],
    [
      'a relation with the name of another',
      "this.relation('tags').named('comments')",
      'Post: two fields are called comments. Give one of them another name.',
    ],
    [
      'a relation with the name of an attribute',
      "this.relation('tags').named('title')",
      'Post: two fields are called title. Give one of them another name.',
    ],
    [
      'a computed attribute with the name of a relation',
      "this.attribute('x').named('author').computed([], () => 1)",
      'Post: two fields are called author. Give one of them another name.',
    ],
    [
      'a virtual attribute with the name of an attribute',
      "this.attribute('x').named('slug').virtual()",
      'Post: two fields are called slug. Give one of them another name.',
    ],
    ...['type', 'id', 'a.b', 'a b', '', 'links'].map((name) => [
      `a field that cannot be called "${name}"`,
      `this.attribute('content').named('${name}')`,
      `Post: "${name}" cannot be the name of a field. Use letters, digits, - and _ between them, and neither type, id, links nor relationships.`,
    ]),
    [
      'a to-one relation that is counted',
      "this.relation('author').countable()",
      "relation('author') of Post: only to-many relations are countable. Remove countable().",
    ],
    [
      'a polymorphic relation of relations that are not there',
      "this.morphTo('subject', ['post'])",
      "morphTo('subject'): Post.post is no optional relation with a foreign key. Name the to-one relations that it is made of.",
    ],
    [
      'a polymorphic relation of columns that are not there',
      "this.morphTo('subject', { type: 'kind', id: 'id', models: {} })",
      "morphTo('subject'): the model Post has no column kind. Name the columns that hold the type and the id.",
    ],
    [
      'a polymorphic relation to a model that is not there',
      "this.morphTo('subject', { type: 'slug', id: 'id', models: { post: 'Pst' } })",
      "morphTo('subject'): there is no model Pst. Did you mean Post?",
    ],
    [
      'a singular filter that cannot be filtered by',
      "this.attribute('slug').singular().notFilterable()",
      'posts: singular filter slug: no attribute that can be filtered by. Name another, or remove it.',
    ],
  ] as [string, string, string][])('%s', async (_, list, message) => {
    await expect(start(fields(list))).rejects.toThrow(new Error(`${file}: ${message}`))
  })
})

describe('the type as a whole', () => {
  test.each([
    ["defaultSort = 'titel'", 'posts: defaultSort: Sort parameter titel is not allowed.'],
    ["defaultInclude = ['writer']", 'posts: defaultInclude: Include path writer is not allowed.'],
    ["softDelete = 'gone'", "softDelete = 'gone': Post has no nullable DateTime column of that name."],
    ["type = 'a/b'", 'Post: "a/b" cannot be a type, which is a part of URLs.'],
    ["type = 'users'", 'Two models are served as users: User and Post. Give one of their schemas another type.'],
  ])('%s', async (members, message) => {
    await expect(start(members)).rejects.toThrow(message)
    await expect(start(members)).rejects.toThrow(file)
  })
})

test.each([
  fields("this.attribute('titel').hidden()"),
  fields("this.relation('tag').hidden()"),
  fields("this.morphTo('subject', { type: 'slug', id: 'id', models: { post: 'Pst' } })"),
  "defaultSort = 'author.nmae'",
  "defaultInclude = ['comments.autor']",
])('docs/troubleshooting.md shows what the start says of %s', async (members) => {
  const { message } = await start(members).then(
    () => new Error('It starts.'),
    (error: Error) => error,
  )
  expect(read('docs/troubleshooting.md')).toContain(`\n${message.replace('.schema.js', '.schema.ts')}\n`)
})

const filter = (name: string, options = '') =>
  `filters() { return [this.filter('${name}', { ${options} where: () => null })] }`

describe('declared filters', () => {
  test.each([
    [filter('title'), "filter('title') of Post: that name means something else already. Give it another one."],
    [filter('tags'), "filter('tags') of Post: that name means something else already. Give it another one."],
    [filter('id'), "filter('id') of Post: that name means something else already. Give it another one."],
    [filter('or'), "filter('or') of Post: that name means something else already. Give it another one."],
    [filter('a.b'), "filter('a.b') of Post: its name is a part of URLs. Use letters, digits, - and _ between them."],
    [
      "filters() { return ['x', 'x'].map((name) => this.filter(name, { where: () => null })) }",
      "filter('x') of Post: that name means something else already. Give it another one.",
    ],
    [
      filter('x', 'rule: {},'),
      "filter('x') of Post: its rule is no yup schema. Make it with date(), integer() and so on.",
    ],
    [filter('x', "kind: 'integer', values: ['1'],"), "filter('x') of Post: values are strings. Remove its kind."],
    [
      filter('x', "kind: 'number',"),
      "filter('x') of Post: there is no kind number. It is one of string, integer, bigint, float, decimal, boolean, datetime.",
    ],
  ])('%s', async (members, message) => {
    await expect(start(members)).rejects.toThrow(new Error(`${file}: ${message}`))
  })
})

const sort = (...parts: string[]) => `sorts() { return [this.sort(${parts.map((part) => `'${part}'`).join(', ')})] }`
const cure = (model: string) => new RegExp(`Name a column of ${model} \\(id, .+its relations are .+\\.$`)

describe('declared sorts', () => {
  test.each([
    [sort('title', 'slug'), "sort('title') of Post: that name means something else already. Give it another one."],
    [sort('-x', 'slug'), "sort('-x') of Post: its name is a part of URLs."],
    [sort('x'), "sort('x') of Post: it orders by nothing. Name columns: this.sort('x', '…')."],
  ])('%s', async (members, message) => {
    await expect(start(members)).rejects.toThrow(`${file}: ${message}`)
  })

  test.each([
    [sort('x', 'titel'), 'titel is nothing to order by.', 'Post'],
    [sort('x', '-author.nam'), '-author.nam is nothing to order by.', 'User'],
    [sort('x', 'tags.name'), 'tags.name is nothing to order by.', 'Tag'],
    [sort('x', 'writer.name'), 'writer.name leads nowhere.', 'Post'],
    [sort('x', 'tags.posts.count'), 'tags.posts.count leads nowhere.', 'Tag'],
    [sort('x', 'author.count'), 'author.count is nothing to order by.', 'User'],
  ])('%s', async (members, message, model) => {
    await expect(start(members)).rejects.toThrow(`${file}: sort('x') of Post: ${message}`)
    await expect(start(members)).rejects.toThrow(cure(model))
  })
})
