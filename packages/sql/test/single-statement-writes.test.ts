import type { Bound, SqlWriter, Stored } from '@prismapi/core/database/sql-database'
import { json } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { DbNull } from '@prismapi/jsonapi/model/prisma-values'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { NotInSql } from '../src/dialects/codec.ts'
import { postgresDialect } from '../src/dialects/postgres-dialect.ts'
import { removeQuery, updateQuery } from '../src/queries/change-queries.ts'
import { insertedColumns } from '../src/queries/columns.ts'
import { insertQuery } from '../src/queries/insert-query.ts'
import { singleStatementWriter } from '../src/single-statement-writer.ts'
import { compile, on } from './compile.ts'

const tag = (data: object, returning = ['id']) => ({ model: 'Tag', data: { ...data }, returning })
const renamed = { model: 'Tag', data: { name: 'new' }, where: on('Tag', { id: 7 }), row: { name: 'old' } }

describe('the SQL', () => {
  test('of a new row: what is given, and what Prisma Client gives by itself', () => {
    const { text, values } = compile(insertQuery, {
      model: 'User',
      data: { name: 'N', passwordHash: 'P', email: 'e@x', createdAt: new Date(0), updatedAt: new Date(1) },
      returning: ['id'],
    })
    expect(text).toBe(
      'insert into "User" ("name", "email", "role", "passwordHash", "createdAt", "updatedAt") values (?, ?, ?, ?, ?, ?) returning "id"',
    )
    expect(values).toEqual([
      'N',
      'e@x',
      'MEMBER',
      'P',
      '1970-01-01T00:00:00.000+00:00',
      '1970-01-01T00:00:00.001+00:00',
    ])
  })

  test('of a change: the row is named, seen through the scope, and compared', () => {
    const where = on('Tag', { AND: [{ id: 7 }, { posts: { some: { authorId: 3 } } }] })
    const { text, values } = compile(updateQuery, { ...renamed, where })
    expect(text).toBe(
      'update "Tag" as "t0" set "name" = ? where ("t0"."id" = ? and "t0"."id" in (select "t2"."B" from "_PostToTag" as "t2" inner join "Post" as "t1" on "t1"."id" = "t2"."A" where "t1"."authorId" = ?)) and "t0"."name" collate binary = ? returning 1',
    )
    expect(values).toEqual(['new', 7, 3, 'old'])
  })

  test('of a change on PostgreSQL, of a column that was null', () => {
    const data = { bio: 'B' }
    const row = { bio: null, website: 'W', userId: 4 }
    const { text, values } = compile(
      updateQuery,
      { model: 'Profile', data, where: on('Profile', { id: 7 }), row },
      postgresDialect,
    )
    expect(text).toBe(
      'update "public"."Profile" as "t0" set "bio" = $1 where "t0"."id" = $2 and "t0"."bio" is null and "t0"."website" collate "C" = $3 and "t0"."userId" = $4 returning 1',
    )
    expect(values).toEqual(['B', 7, 'W', 4])
  })
})

describe('a removal', () => {
  const removed = { model: 'Tag', where: on('Tag', { id: 7 }), row: { name: 'old' } }

  test('names the row, through the scope, and compares it', () => {
    const { text, values } = compile(removeQuery({}), removed)
    expect(text).toBe('delete from "Tag" as "t0" where "t0"."id" = ? and "t0"."name" collate binary = ? returning 1')
    expect(values).toEqual([7, 'old'])
    expect(compile(removeQuery({}), removed, postgresDialect).text).toBe(
      'delete from "public"."Tag" as "t0" where "t0"."id" = $1 and "t0"."name" collate "C" = $2 returning 1',
    )
  })

  test('is not known where Prisma looks after the rows that name the row', () => {
    expect(() => compile(removeQuery({ emulatesRelations: true }), removed)).toThrow(NotInSql)
  })
})

describe('is not known', () => {
  const column = (over: Partial<ColumnMeta>): ColumnMeta => ({
    ...(resources.models.Tag?.columns.name as ColumnMeta),
    ...over,
  })
  const written = (over: Partial<ColumnMeta>, data: object = {}) => {
    const meta = column({ ...over, name: 'it', column: 'it' })
    const model = { ...resources.models.Tag, columns: { it: meta } } as never
    const catalog = { column: () => meta, codec: () => ({ bind: (value: unknown) => value }) }
    return () => insertedColumns(model, { ...data }, { catalog, values: [] } as never)
  }

  test.each<[string, Partial<ColumnMeta>, object?]>([
    ['a column that nothing is given for', {}],
    ['null where there is none', {}, { it: null }],
    ['a list that has a default', { isList: true, default: 'value' }],
    ['DbNull of JSON that cannot be null', { type: 'Json' }, { it: DbNull }],
    ['a UUID of another version', { default: 'uuid', defaultValue: 5 }],
    ['a literal that the resources do not tell', { default: 'value' }],
  ])('%s', (_, over, data) => {
    expect(written(over, data)).toThrow(NotInSql)
  })

  test.each<[string, Partial<ColumnMeta>, unknown]>([
    ['a UUID', { default: 'uuid', defaultValue: 4 }, expect.stringMatching(/^[\da-f-]{36}$/)],
    ['a UUID of the time', { default: 'uuid', defaultValue: 7 }, expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/)],
    ['a CUID', { default: 'cuid', defaultValue: 1 }, expect.stringMatching(/^c[\da-z]{24}$/)],
    ['a CUID of the second kind', { default: 'cuid', defaultValue: 2 }, expect.stringMatching(/^[a-z][\da-z]{23}$/)],
    ['a ULID', { default: 'ulid' }, expect.stringMatching(/^0[\dA-HJKMNP-TV-Z]{25}$/)],
    ['a Nano ID', { default: 'nanoid' }, expect.stringMatching(/^[\w-]{21}$/)],
    ['a Nano ID of another length', { default: 'nanoid', defaultValue: 12 }, expect.stringMatching(/^[\w-]{12}$/)],
    ['an empty list', { isList: true }, []],
    ['a literal', { default: 'value', defaultValue: false }, false],
    ['the time', { default: 'now' }, expect.any(Date)],
  ])('but %s is', (_, over, value) => {
    const values: unknown[] = []
    const meta = column({ ...over, name: 'it' })
    const catalog = { column: () => meta, codec: () => ({ bind: (bound: unknown) => bound }) }
    insertedColumns({ ...resources.models.Tag, columns: { it: meta } } as never, {}, { catalog, values } as never)
    expect(values).toEqual([value])
  })

  test('a scope that takes a join', () => {
    const where = on('Post', { AND: [{ id: 1 }, { author: { is: { name: 'x' } } }] })
    const change = { model: 'Post', data: { title: 'T' }, where, row: { title: 'S' } }
    expect(() => compile(updateQuery, change)).toThrow(NotInSql)
  })

  test('a change of what other rows name', () => {
    expect(() => compile(updateQuery, { ...renamed, data: { id: 8 } })).toThrow(NotInSql)
  })

  test('a change that is a command of Prisma', () => {
    const change = {
      model: 'Post',
      data: { authorId: { increment: 1 } },
      where: on('Post', { id: 1 }),
      row: { authorId: 2 },
    }
    expect(() => compile(updateQuery, change)).toThrow(NotInSql)
  })
})

describe('the writer', () => {
  function writerThat(run: (values: readonly Bound[]) => readonly Stored[] | null, catalogue: object = {}) {
    const prepared: string[] = []
    const writer: SqlWriter = {
      client: {},
      prepare(sql) {
        prepared.push(sql)
        return { run: async (values) => run(values) }
      },
    }
    const told: string[] = []
    const onTransaction = (model: string, reason: string) => void told.push(`${model}: ${reason}`)
    const database = { provider: 'sqlite', schema: null, ...catalogue } as never
    return { prepared, told, ...singleStatementWriter({ database, writer, resources, onTransaction }) }
  }
  const failing = (code: string) => () => {
    throw Object.assign(new Error('no'), { code })
  }

  test('does without a catalogue that cannot be read, and says so', async () => {
    const unread = async () => null
    const { returnsRows, hasForeignKey, told } = writerThat(() => [], { triggeredTables: unread, foreignKeys: unread })
    expect([await returnsRows('Post'), await hasForeignKey('Post', 'author')]).toEqual([false, false])
    expect(told).toEqual(['Post: the catalogue cannot be read', 'Post: the catalogue cannot be read'])
    const other = writerThat(() => [])
    expect([await other.returnsRows('Post'), await other.hasForeignKey('Post', 'author')]).toEqual([false, false])
    expect(other.told).toEqual([])
  })

  test('keeps a statement for each shape', async () => {
    const { insert, update, prepared } = writerThat(() => [[7]])
    expect(await insert(tag({ name: 'a' }))).toEqual({ id: 7 })
    expect(await insert(tag({ name: 'b' }))).toEqual({ id: 7 })
    expect(await insert(tag({ id: 7, name: 'b' }))).toEqual({ id: 7 })
    expect(await update(renamed)).toEqual({})
    expect(await update({ ...renamed, where: on('Tag', { id: 8 }), row: { name: 'other' } })).toEqual({})
    expect(prepared).toHaveLength(3)
  })

  test.each<[string, (values: readonly Bound[]) => readonly Stored[] | null]>([
    ['the connection is taken', () => null],
    ['a unique is broken', failing('SQLITE_CONSTRAINT_UNIQUE')],
    ['a foreign key leads nowhere', failing('23503')],
    ['another transaction was met', failing('40001')],
    ['another process writes to the file', failing('SQLITE_BUSY')],
    [
      'the driver does not take a value',
      () => {
        throw new RangeError('The bound string, buffer, or bigint is too big')
      },
    ],
  ])('has done nothing where %s', async (_, run) => {
    const { insert, update } = writerThat(run)
    expect(await insert(tag({ name: 'a' }))).toBeNull()
    expect(await update(renamed)).toBeNull()
  })

  test('tells why one statement would not do', async () => {
    const tellsOf = async (run: (values: readonly Bound[]) => readonly Stored[] | null, plan = renamed) => {
      const { update, told } = writerThat(run)
      await update(plan)
      return told
    }
    expect(await tellsOf(() => [[1]])).toEqual([])
    expect(await tellsOf(() => [])).toEqual(['Tag: the row is not what was read of it'])
    expect(await tellsOf(() => null)).toEqual(['Tag: the connection is not free'])
    expect(await tellsOf(failing('SQLITE_CONSTRAINT_UNIQUE'))).toEqual(['Tag: the database refused it'])
    expect(await tellsOf(() => [[1]], { ...renamed, data: { id: 8 } } as never)).toEqual([
      'Tag: Tag.id, which others name',
    ])
  })

  test('tells nothing of a try that reads no row before', async () => {
    const unread = { ...renamed, row: {}, where: renamed.where as Condition }
    const tellsOf = async (run: (values: readonly Bound[]) => readonly Stored[] | null, plan = unread) => {
      const { update, told } = writerThat(run)
      expect(await update(plan)).toBeNull()
      return told
    }
    const name = resources.models.Tag?.columns.name as ColumnMeta
    const ofJson = json(name, null, { operator: 'equals', value: 1 })
    expect(await tellsOf(() => [])).toEqual([])
    expect(await tellsOf(() => null)).toEqual([])
    expect(await tellsOf(failing('SQLITE_CONSTRAINT_UNIQUE'))).toEqual([])
    expect(await tellsOf(() => [[1]], { ...unread, where: ofJson })).toEqual([])
  })

  test('compares the instants of the row by what they mean, whatever is known of its table', async () => {
    const { update, prepared } = writerThat(() => [[1]], { instants: 'iso8601', instantsIn: () => 'usual' })
    const where = on('Post', { AND: [{ id: 1 }, { createdAt: { lt: new Date(0) } }] })
    await update({ model: 'Post', data: { title: 'T' }, where, row: {} })
    expect(prepared[0]).toMatch(/strftime\(.*< \?\) returning/)
  })

  test('has done nothing where the row is not there any more', async () => {
    expect(await writerThat(() => []).update(renamed)).toBeNull()
  })

  const readTimeout = new Error('Query read timeout')
  test.each<[string, Error]>([
    ...['08006', '57P01', 'ECONNRESET', 'EBADF', 'ERR_OUT_OF_RANGE'].map((code): [string, Error] => [
      code,
      Object.assign(new Error('no'), { code }),
    ]),
    ['the time of the driver is over', readTimeout],
    ['the driver is at fault', new TypeError("Cannot read properties of null (reading 'handleError')")],
  ])('does not try again where nobody knows what was done: %s', async (_, error) => {
    const { insert, told } = writerThat(() => Promise.reject(error) as never, { provider: 'postgresql' })
    await expect(insert(tag({ name: 'a' }))).rejects.toMatchObject({ status: 503, cause: error })
    expect(told).toEqual([])
  })
})
