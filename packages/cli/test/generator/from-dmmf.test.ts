import { isCodeOfTable } from '@prismapi/jsonapi/schema/secrets'
import { expect, test } from 'vitest'
import { toResources } from '../../src/generator/from-dmmf.ts'
import { renderResources } from '../../src/generator/render.ts'
import { client, datamodel, field, model, origin } from './dmmf.ts'

const relation = (name: string, type: string, columns: string[] = []) =>
  field(name, { kind: 'object', type, isList: columns.length === 0, relationName: 'r', relationFromFields: columns })

test('SQL Server knows no RESTRICT: the default of a required relation is NO ACTION there', () => {
  const models = datamodel([
    model('Post', [field('id', { isId: true }), field('userId'), relation('user', 'User', ['userId'])]),
    model('User', [field('id', { isId: true }), relation('posts', 'Post')]),
  ])
  const onDelete = (provider: 'sqlserver' | 'sqlite') =>
    toResources(models, { provider, schema: '', order: 'schema' }).models.Post?.relations.user?.onDelete
  expect(onDelete('sqlserver')).toBe('NoAction')
  expect(onDelete('sqlite')).toBe('Restrict')
})

test('a relation is optional where one of its columns is, whatever its question mark says', () => {
  const columns = ['a', 'b']
  const isNullable = (...required: boolean[]) => {
    const scalars = columns.map((name, i) => field(name, { isRequired: required[i] === true }))
    const user = { ...relation('user', 'User', columns), isRequired: false }
    const models = datamodel([
      model('Post', [field('id', { isId: true }), ...scalars, user]),
      model('User', [field('id', { isId: true }), relation('posts', 'Post')]),
    ])
    return toResources(models, { provider: 'postgresql', schema: '', order: 'schema' }).models.Post?.relations.user
      ?.isNullable
  }
  expect([isNullable(true, true), isNullable(true, false), isNullable(false, false)]).toEqual([false, true, true])
})

test('an index with a prefix orders only what comes before it', () => {
  const models = datamodel([model('Post', [field('id', { isId: true }), field('a'), field('b')])])
  const index = { model: 'Post', type: 'normal', isDefinedOnField: false } as const
  const indexes = [
    { ...index, fields: [{ name: 'a' }, { name: 'b', length: 10 }] },
    { ...index, type: 'fulltext' as const, fields: [{ name: 'b' }] },
  ]
  const resources = toResources({ ...models, indexes }, { provider: 'mysql', schema: '', order: 'schema' })
  expect(resources.models.Post?.indexes).toEqual([['id'], ['a']])
})

test('@version marks the column that it stands above, and leaves the comment to it', () => {
  const counter = field('revision', { type: 'Int', documentation: '@hidden @version\nHow often it changed.' })
  const models = datamodel([model('Post', [field('id', { isId: true }), field('title'), counter])])
  const { title, revision } =
    toResources(models, { provider: 'sqlite', schema: '', order: 'schema' }).models.Post?.columns ?? {}
  expect(revision).toMatchObject({ isVersion: true, hidden: true, documentation: 'How often it changed.' })
  expect(title).not.toHaveProperty('isVersion')
})

test('a schema says whether Prisma looks after relations', () => {
  const told = (schema: string) => toResources(datamodel([]), { provider: 'sqlite', schema, order: 'schema' })
  const source = (more: string) => `datasource db {\n  provider = "sqlite"\n  ${more}\n}\n`
  expect(told(source('relationMode = "prisma"')).emulatesRelations).toBe(true)
  for (const other of ['', 'relationMode = "foreignKeys"', '// relationMode = "prisma"'])
    expect(told(source(other))).not.toHaveProperty('emulatesRelations')
})

test('models are sorted only where the schema has no order', () => {
  const models = datamodel([model('Zebra', []), model('Apple', [])])
  const names = (order: 'schema' | 'name') =>
    Object.keys(toResources(models, { provider: 'sqlite', schema: '', order }).models)
  expect(names('schema')).toEqual(['Zebra', 'Apple'])
  expect(names('name')).toEqual(['Apple', 'Zebra'])
})

test('200 models with 2,000 fields and a hub between them take well under a second', () => {
  const spokes = Array.from({ length: 199 }, (_, index) => {
    const scalars = Array.from({ length: 8 }, (_, column) => field(`column${column}`, { documentation: '@hidden' }))
    const hub = field('hub', {
      kind: 'object',
      type: 'Hub',
      relationName: `r${index}`,
      relationFromFields: ['column7'],
    })
    return model(`Model${index}`, [field('id', { isId: true }), ...scalars, hub])
  })
  const ends = spokes.map(({ name }, index) =>
    field(`to${name}`, { kind: 'object', type: name, isList: true, relationName: `r${index}` }),
  )
  const models = datamodel([...spokes, model('Hub', [field('id', { isId: true }), ...ends])])
  const start = performance.now()
  const text = renderResources(toResources(models, { provider: 'sqlite', schema: '', order: 'schema' }), client, origin)
  expect(performance.now() - start).toBeLessThan(5000)
  expect(text).toContain("hub: { name: 'hub', model: 'Hub'")
  expect(text.length).toBeGreaterThan(500_000)
})

test('the key is the first unique that tells no secret; where each one does, the first', () => {
  const keysOf = (...fields: Parameters<typeof model>[1]) =>
    toResources(
      datamodel([model('Invite', fields, { uniqueIndexes: [{ name: 'email_teamId', fields: ['email', 'teamId'] }] })]),
      {
        ...{ provider: 'postgresql', schema: '', order: 'schema' },
      },
    ).models.Invite?.key
  const [token, email, teamId] = [field('token', { isId: true }), field('email'), field('teamId')]
  expect(keysOf(token, email, teamId)).toEqual(['email', 'teamId'])
  expect(keysOf(token, email)).toEqual(['token'])
})

test('a table of codes and their labels is served by its codes, also where the labels are unique', () => {
  const keyOf = (name: string, ...others: string[]) => {
    const label = others.map((each) => field(each, { isUnique: true }))
    const { models } = toResources(datamodel([model(name, [field(name, { isId: true }), ...label])]), {
      ...{ provider: 'sqlite', schema: '', order: 'schema' },
    })
    return models[name]?.key
  }
  expect(keyOf('access_code', 'label')).toEqual(['access_code'])
  expect(keyOf('access_code', 'label', 'description')).toEqual(['access_code'])
  expect(keyOf('invite_code', 'email')).toEqual(['email'])
  expect(isCodeOfTable(['access_code'], ['access_code', 'label'])).toBe(true)
  expect(isCodeOfTable(['invite_code'], ['invite_code'])).toBe(false)
  expect(isCodeOfTable(['access_code', 'label'], ['access_code', 'label'])).toBe(false)
})
