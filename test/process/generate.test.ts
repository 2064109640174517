import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ColumnMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyFixture, type Run, runGenerate, runTsc, standIn } from '../../packages/cli/test/generator/run-generate.ts'

// Each fixture goes through `prisma generate` once: two or three seconds, all at the same time.
let postgres: Run
let inFolder: Run
let broken: Run

beforeAll(async () => {
  const started = async (name: string) => runGenerate(await copyFixture(name), name)
  const runs = await Promise.all([started('postgres.prisma'), started('folder'), started('broken.prisma')])
  ;[postgres, inFolder, broken] = runs
})

afterAll(() => Promise.all([postgres, inFolder, broken].map(({ folder }) => rm(folder, { recursive: true }))))

async function readResources(run: Run, path: string): Promise<Resources> {
  expect(run).toMatchObject({ code: 0 })
  const module: { resources: Resources } = await import(pathToFileURL(join(run.folder, path)).href)
  return module.resources
}

describe('a PostgreSQL schema with everything odd in it', () => {
  let resources: Resources
  const modelOf = (name: string) => resources.models[name] ?? expect.unreachable(`no model ${name}`)
  const columnOf = (model: string, name: string) => modelOf(model).columns[name]
  const relationOf = (model: string, name: string) => modelOf(model).relations[name]

  beforeAll(async () => {
    resources = await readResources(postgres, 'generated/resources.ts')
  })

  const column = (over: Partial<ColumnMeta> & { name: string }): ColumnMeta => ({
    column: over.name,
    type: 'String',
    isEnum: false,
    isList: false,
    isNullable: false,
    isForeignKey: false,
    isUpdatedAt: false,
    default: null,
    native: null,
    hidden: false,
    readOnly: false,
    writeOnly: false,
    documentation: null,
    ...over,
  })

  const relation = (over: Partial<RelationMeta> & { name: string; model: string }): RelationMeta => ({
    isList: false,
    isNullable: false,
    relationName: '',
    foreignKey: null,
    inverse: null,
    join: null,
    onDelete: null,
    hidden: false,
    readOnly: false,
    writeOnly: false,
    documentation: null,
    ...over,
  })

  test('models and enums are listed in the order of the schema', () => {
    expect(resources.provider).toBe('postgresql')
    expect(Object.keys(resources.models)).toEqual([
      ...['User', 'Profile', 'Post', 'Tag', 'Membership', 'Note', 'Shape', 'Price', 'Visible', 'Hidden'],
      ...['Stat', 'Keyless'],
    ])
    expect(resources.enums).toEqual({
      Role: { name: 'Role', values: ['USER', 'ADMIN'], stored: { USER: 'user' } },
    })
  })

  test('everything in it is frozen', () => {
    const unfrozen: string[] = []
    const walk = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return
      if (!Object.isFrozen(value)) unfrozen.push(path)
      for (const [name, member] of Object.entries(value)) walk(member, `${path}.${name}`)
    }
    walk(resources, 'resources')
    expect(unfrozen).toEqual([])
  })

  test('every column of a model with its type, name in the database, default and native type', () => {
    expect(modelOf('Post').columns).toEqual({
      id: column({ name: 'id', type: 'BigInt', default: 'autoincrement' }),
      title: column({ name: 'title', column: 'post_title', default: 'value', defaultValue: `It's "new"` }),
      authorId: column({ name: 'authorId', type: 'Int', isForeignKey: true }),
      reviewerId: column({ name: 'reviewerId', type: 'Int', isNullable: true, isForeignKey: true }),
      price: column({ name: 'price', type: 'Decimal', native: ['Decimal', '10', '2'] }),
      cover: column({ name: 'cover', type: 'Bytes', isNullable: true }),
      meta: column({ name: 'meta', type: 'Json', isNullable: true }),
      labels: column({ name: 'labels', isList: true }),
      numbers: column({ name: 'numbers', type: 'Int', isList: true, default: 'value' }),
      createdAt: column({ name: 'createdAt', type: 'DateTime', default: 'now', native: ['Timestamptz', '3'] }),
      updatedAt: column({ name: 'updatedAt', type: 'DateTime', isUpdatedAt: true }),
      public: column({ name: 'public', default: 'dbgenerated', native: ['Uuid'] }),
    })
    expect(columnOf('Tag', 'id')).toEqual(column({ name: 'id', default: 'cuid', defaultValue: 1 }))
  })

  test('tables and database schemas have the names of the database', () => {
    const { table, dbSchema } = modelOf('Post')
    expect({ table, dbSchema }).toEqual({ table: 'Order Details', dbSchema: 'public' })
    expect(modelOf('Membership').dbSchema).toBe('audit')
  })

  test('enums, and lists of them', () => {
    expect(columnOf('User', 'role')).toEqual(
      column({ name: 'role', type: 'Role', isEnum: true, default: 'value', defaultValue: 'USER' }),
    )
    expect(columnOf('User', 'roles')).toEqual(
      column({ name: 'roles', type: 'Role', isEnum: true, isList: true, default: 'value' }),
    )
  })

  test('annotations of columns and relations, and comments of both kinds without them', () => {
    expect(modelOf('User').documentation).toBe('A person.\nOr a robot.')
    expect(modelOf('Shape').documentation).toBe('A circle')
    expect(columnOf('User', 'email')).toEqual(
      column({ name: 'email', documentation: 'Where to write to, e.g. joe@example.com\n@deprecated use `contacts`' }),
    )
    expect(columnOf('User', 'passwordHash')).toEqual(
      column({ name: 'passwordHash', hidden: true, native: ['VarChar', '191'], documentation: 'Never shown.' }),
    )
    expect(columnOf('User', 'pin')).toEqual(column({ name: 'pin', isNullable: true, writeOnly: true }))
    expect(relationOf('User', 'reviewed')).toMatchObject({ readOnly: true, documentation: null })
  })

  test('keys: single, composite with a name, the unique that stands for one, and none', () => {
    const keysOf = (name: string) => {
      const { key, keyName, uniques } = modelOf(name)
      return { key, keyName, uniques }
    }
    expect(keysOf('User')).toEqual({ key: ['id'], keyName: null, uniques: [['id'], ['email']] })
    expect(keysOf('Membership')).toEqual({
      key: ['userId', 'groupId'],
      keyName: 'seat',
      uniques: [['userId', 'groupId']],
    })
    expect(keysOf('Price')).toEqual({
      key: ['day', 'product'],
      keyName: 'day_product',
      uniques: [['note'], ['day', 'currency'], ['day', 'product']],
    })
    expect(keysOf('Stat')).toEqual({ key: ['id'], keyName: null, uniques: [['id']] })
    expect(keysOf('Keyless')).toEqual({ key: [], keyName: null, uniques: [] })
  })

  test('a partial unique and one with an ignored column are no uniques', () => {
    expect(modelOf('Post').uniques).toEqual([['id'], ['authorId', 'title']])
  })

  test('indexes are those that put rows in order, as far as they do', () => {
    expect(modelOf('Post').indexes).toEqual([['id'], ['authorId', 'title'], ['createdAt', 'id'], ['price']])
  })

  test('a required Unsupported column takes create away, a view only reads', () => {
    expect(modelOf('Post').operations).toEqual(['read', 'create', 'update', 'delete'])
    expect(modelOf('Shape').operations).toEqual(['read', 'update', 'delete'])
    expect(modelOf('Stat').operations).toEqual(['read'])
  })

  test('a one-to-one whose foreign key is the id', () => {
    expect(columnOf('Profile', 'userId')).toEqual(column({ name: 'userId', type: 'Int', isForeignKey: true }))
    expect(relationOf('Profile', 'user')).toEqual(
      relation({
        name: 'user',
        model: 'User',
        relationName: 'ProfileToUser',
        foreignKey: { columns: ['userId'], references: ['id'] },
        inverse: 'profile',
        onDelete: 'Cascade',
      }),
    )
    expect(relationOf('User', 'profile')).toEqual(
      relation({ name: 'profile', model: 'Profile', isNullable: true, relationName: 'ProfileToUser', inverse: 'user' }),
    )
  })

  test('several relations between two models keep apart', () => {
    const ends = (model: string) =>
      Object.values(modelOf(model).relations).map(({ name, inverse, onDelete }) => [name, inverse, onDelete])
    expect(ends('Post')).toEqual([
      ['author', 'written', 'Restrict'],
      ['reviewer', 'reviewed', 'NoAction'],
      ['fans', 'favourites', null],
      ['tags', 'posts', null],
    ])
    expect(ends('User').slice(4, 7)).toEqual([
      ['written', 'author', null],
      ['reviewed', 'reviewer', null],
      ['favourites', 'fans', null],
    ])
  })

  test('a relation of a model with itself, one to many', () => {
    expect(relationOf('User', 'manager')).toEqual(
      relation({
        name: 'manager',
        model: 'User',
        isNullable: true,
        relationName: 'management',
        foreignKey: { columns: ['managerId'], references: ['id'] },
        inverse: 'reports',
        onDelete: 'SetNull',
      }),
    )
    expect(relationOf('User', 'reports')).toEqual(
      relation({ name: 'reports', model: 'User', isList: true, relationName: 'management', inverse: 'manager' }),
    )
  })

  test('a relation of a model with itself, many to many: A is the field whose name comes first', () => {
    expect(relationOf('User', 'befriended')?.join).toEqual({ table: '_friendship', own: 'A', other: 'B' })
    expect(relationOf('User', 'friends')).toEqual(
      relation({
        name: 'friends',
        model: 'User',
        isList: true,
        relationName: 'friendship',
        inverse: 'befriended',
        join: { table: '_friendship', own: 'B', other: 'A' },
      }),
    )
  })

  test('an implicit many to many: A is the model whose name comes first, whatever its table is called', () => {
    expect(relationOf('Post', 'tags')?.join).toEqual({ table: '_PostToTag', own: 'A', other: 'B' })
    expect(relationOf('Tag', 'posts')?.join).toEqual({ table: '_PostToTag', own: 'B', other: 'A' })
    expect(relationOf('Post', 'fans')?.join).toEqual({ table: '_favourites', own: 'A', other: 'B' })
  })

  test('a composite foreign key, optional by one of its columns, restricts by the other', () => {
    expect(relationOf('Note', 'membership')).toEqual(
      relation({
        name: 'membership',
        model: 'Membership',
        isNullable: true,
        relationName: 'MembershipToNote',
        foreignKey: { columns: ['userId', 'groupId'], references: ['userId', 'groupId'] },
        inverse: 'notes',
        onDelete: 'Restrict',
      }),
    )
    expect(columnOf('Note', 'groupId')?.isForeignKey).toBe(true)
    expect(columnOf('Membership', 'groupId')?.isForeignKey).toBe(false)
  })

  test('a relation whose other end is ignored has no inverse', () => {
    expect(relationOf('Visible', 'hidden')).toMatchObject({ model: 'Hidden', inverse: null })
    expect(modelOf('Hidden').relations).toEqual({})
  })
})

describe('a schema folder', () => {
  test('has its models sorted, and the client where its generator put it', async () => {
    const resources = await readResources(inFolder, 'generated/api/resources.ts')
    expect(Object.keys(resources.models)).toEqual(['Apple', 'Zebra'])
    expect(Object.keys(resources.enums)).toEqual(['Colour'])
    const text = await readFile(join(inFolder.folder, 'generated/api/resources.ts'), 'utf8')
    expect(text).toContain("import type * as client from '../db/client.mts'")
  })

  test('is written again only when something changed', async () => {
    const path = join(inFolder.folder, 'generated/api/resources.ts')
    const before = await stat(path)
    const text = await readFile(path, 'utf8')
    expect(await runGenerate(inFolder.folder, 'folder')).toMatchObject({ code: 0 })
    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs)

    await writeFile(path, 'old')
    expect(await runGenerate(inFolder.folder, 'folder')).toMatchObject({ code: 0 })
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})

test('wrong annotations fail the generation with file, model, field and cure, and write nothing', async () => {
  expect(broken.code).toBe(1)
  const lines = broken.output.split('\n').filter((line) => line.startsWith(broken.schema))
  expect(lines).toEqual([
    `${broken.schema}: model User, field id: @hidden cannot stand on an id, which every resource shows. Remove it.`,
    `${broken.schema}: model User, field password: @hiden is not an annotation. Did you mean @hidden?`,
  ])
  await expect(stat(join(broken.folder, 'generated/resources.ts'))).rejects.toThrow('ENOENT')
})

test('the types compile beside the client, and refuse what is not in the schema', async () => {
  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', types: ['node'], noEmit: true, strict: true, skipLibCheck: true },
    ...{ exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    paths: { prismapi: ['./prismapi.ts'], 'prismapi/types': ['./prismapi.ts'] },
  }
  const files = ['prismapi.ts', 'usage.ts', 'generated/resources.ts']
  await writeFile(join(postgres.folder, 'prismapi.ts'), standIn)
  await writeFile(join(postgres.folder, 'usage.ts'), usage)
  await writeFile(join(postgres.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  expect(await runTsc(postgres.folder)).toEqual({ code: 0, output: '' })
})

const usage = `
import type { ModelName, RowOf, WhereOf } from 'prismapi'
import type { ColumnOf, DataOf, PolicyMethodsOf, RelationOf, ToManyOf, ToOneOf } from 'prismapi/types'

export const model: ModelName = 'Post'
// @ts-expect-error no such model
export const noModel: ModelName = 'Pots'

export const amount = (row: RowOf<'Post'>): bigint => row.id
// @ts-expect-error no such column
export const noField = (row: RowOf<'Post'>) => row.titel

export const where: WhereOf<'Post'> = { title: { contains: 'x' }, author: { is: { email: 'a' } } }
// @ts-expect-error no such column
export const noWhere: WhereOf<'Post'> = { titel: 'x' }

export const data: DataOf<'Post'> = { authorId: 1, price: '1.10' }
// @ts-expect-error relations are no data
export const noData: DataOf<'Post'> = { authorId: 1, price: '1.10', tags: {} }
// @ts-expect-error a required Unsupported column: nothing can be created
export const noShape: DataOf<'Shape'> = { id: 1 }

export const names: [ColumnOf<'Post'>, RelationOf<'Post'>, ToOneOf<'Post'>, ToManyOf<'Post'>] = ['title', 'tags', 'author', 'tags']
// @ts-expect-error a relation is no column
export const noColumn: ColumnOf<'Post'> = 'tags'
// @ts-expect-error to many
export const noToOne: ToOneOf<'Post'> = 'tags'
// @ts-expect-error to one
export const noToMany: ToManyOf<'Post'> = 'author'

export class PostPolicy implements PolicyMethodsOf<'Post'> {
  view(_user: unknown, row: RowOf<'Post'>) { return row.reviewerId === null }
}
export const policy: PolicyMethodsOf<'Post'> = {
  viewAny: (user) => user !== null,
  async attachTags(user, row, tags) { return row.title !== '' && (await tags.collect()).every((tag) => tag.id !== '') },
  async updateAuthor(user, row, author) { return (await author.get())?.email !== '' },
}
// @ts-expect-error a to-one relation has nothing to attach
export const noPolicy: PolicyMethodsOf<'Post'> = { attachAuthor: () => true }
`
