import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { delegateOf, prismaWriter } from '@prismapi/core/database/prisma/client'
import type { BrokenConstraint } from '@prismapi/core/database/prisma/database-errors'
import { storedOf } from '@prismapi/core/database/reader'
import type {
  Delegates,
  ReadingTransaction,
  RowWriter,
  SingleStatementWriter,
  Store,
} from '@prismapi/core/database/store'
import { quotedTable } from '@prismapi/core/database/tables'
import { pick } from '@prismapi/core/read/resource'
import { all, equals, equalsEach, everything, not, related } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Fallback } from '@prismapi/jsonapi/request/telemetry'
import { sqlStores } from '@prismapi/sql/sql-stores'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { databases, type FixtureDatabase } from '../any-schema/databases.ts'
import type { FixtureProvider } from '../any-schema/fixtures.ts'
import { type GeneratedClient, generate } from '../any-schema/generate.ts'
import { randomNumbers, randomValue } from '../readers/random-rows.ts'
import { poolOf } from '../readers/value-pools.ts'

/** How many rows of each model are compared. */
const runs = 40

/** Random rows of a fixture's models, written by one statement and by Prisma: what is stored is the same. */
export function writersAgree(name: string, provider: FixtureProvider): void {
  describe(`${name} on ${provider}`, () => {
    let folder: string
    let database: FixtureDatabase
    let resources: Resources
    let store: Store
    let client: GeneratedClient & Delegates
    let single: SingleStatementWriter
    /** How many writes of transactions were left to Prisma. */
    let declined = 0

    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'prismapi-writers-'))
      const generated = await generate(name, provider, folder)
      resources = generated.resources
      database = await databases[provider](generated)
      const { clients } = database
      const onFallback = ({ kind }: Fallback) => {
        if (kind === 'transaction') declined++
      }
      const transactions = { timeout: 60_000, holdMilliseconds: 60_000 }
      store = sqlStores({ clients, resources, transactions, onLateFailure: () => {}, onFallback }).auto
      single = store.single as SingleStatementWriter
      client = (clients as unknown as { writer: typeof client }).writer
      // Prisma Client connects for its first query.
      await client.$queryRawUnsafe('SELECT 1')
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:34:56.789Z') })
    })
    afterAll(async () => {
      vi.useRealTimers()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const random = randomNumbers(3)
    const models = () => Object.values(resources.models).filter(isAlone)
    const namesOf = (isMeant: (column: ColumnMeta, model: ModelMeta) => boolean): readonly string[] =>
      models().flatMap((model) =>
        Object.values(model.columns)
          .filter((column) => column.default !== 'autoincrement' && isMeant(column, model))
          .map((column) => `${model.name}.${column.name}`),
      )

    const changeable = () => namesOf((column, model) => isChangeable(column, model) && !model.key.includes(column.name))

    const read = async ({ name: model }: ModelMeta, names: readonly string[]): Promise<Row> => {
      const [row = {}] = await store.reader.read({
        ...wholeLevel,
        kind: 'rows',
        model,
        columns: names,
        keepsStored: true,
      })
      return row
    }
    /** The one row of the table, as the database shows it; and then none. */
    const take = async (model: ModelMeta): Promise<unknown> => {
      const rows = await stored(client, model)
      await delegateOf(client, model.name).deleteMany({})
      return rows
    }
    const stored = async (inside: GeneratedClient, { columns, table, dbSchema }: ModelMeta): Promise<unknown[]> => {
      const shown = Object.values(columns)
        .filter((column) => column.default !== 'autoincrement')
        .map(({ column }) => `${shownAs[provider](`"${column}"`)} AS "${column}"`)
      const from = quotedTable({ table, dbSchema })
      const rows = shown.length > 0 ? await inside.$queryRawUnsafe(`SELECT ${shown.join()} FROM ${from}`) : []
      return JSON.parse(JSON.stringify(rows).replace(uuid, 'a uuid'))
    }
    const add = (model: ModelMeta, data: Row) =>
      delegateOf(client, model.name).create({ data: { ...emptyLists(model), ...data } })
    const change = (model: ModelMeta, data: Row) => delegateOf(client, model.name).updateMany({ data })
    const changeInOneStatement = async (model: ModelMeta, data: Row, row: Row): Promise<Row | null> => {
      const others = Object.keys(row).filter((column) => !model.key.includes(column))
      return single.update({
        model: model.name,
        data,
        where: all(...equalsEach(model, pick(row, model.key))),
        row: pick(row, others),
        stored: storedOf(row),
        shown: Object.keys(model.columns),
      })
    }
    const randomRow = (model: ModelMeta, isSet: (column: ColumnMeta) => boolean): Row =>
      Object.fromEntries(
        Object.values(model.columns)
          .filter((column) => column.default !== 'autoincrement' && isSet(column))
          .map((column) => [column.name, randomValue(column, resources, random)]),
      )
    const maySet = ({ isNullable, isUpdatedAt, default: by, defaultValue }: ColumnMeta) =>
      (!isNullable && !isUpdatedAt && by === null) || isRandom(by, defaultValue) || random() < 0.6

    const randomCondition = (model: ModelMeta): Condition => {
      // What is made anew for each row, such as the next number, is another for each of the two writers.
      const columns = Object.values(model.columns).filter(
        ({ type, isList, default: made }) => type !== 'Json' && !isList && made === null,
      )
      const column = columns[Math.floor(random() * columns.length)]
      const [relation] = Object.values(model.relations).filter(({ foreignKey }) => foreignKey)
      if (relation && random() < 0.2) return related(relation, 'is', everything)
      if (!column || random() < 0.4) return everything
      const isGiven = equals(model, column.name, randomValue(column, resources, random))
      return random() < 0.5 ? isGiven : not(isGiven)
    }
    /** What a transaction makes of the tables of a model, before it is undone; or what the database refuses. */
    const outcome = async (model: ModelMeta, work: (transaction: ReadingTransaction) => Promise<unknown>) => {
      const undone = new Error('This transaction is undone.')
      let found: unknown
      let refused: BrokenConstraint | null = null
      try {
        await store.write(
          async (transaction) => {
            const answer = await work(transaction)
            const rows = await stored(transaction.client as unknown as GeneratedClient, model)
            // PostgreSQL shows them in the order in which it has changed them.
            found = { answer, rows: rows.map((row) => JSON.stringify(row)).sort() }
            throw undone
          },
          (broken) => {
            refused = broken
            return null
          },
        )
      } catch (error) {
        if (error === undone) return { found }
        const { status = null, message } = error as Partial<JsonApiError>
        // What is nobody's mistake but the query's, is told to the log, in the words of who has sent it.
        return { refused, status, message: status === null ? null : message }
      }
      return null as never
    }

    /** The models of which one statement wrote rows, and those of which it told a whole one. */
    const ofOneStatement = new Set<string>()
    const told = new Set<string>()
    /** A row is told whole, or what is sure of it where a column holds what only Prisma reads. */
    const expectTold = (row: Row, read: Row, { model, least }: { model: ModelMeta; least: readonly string[] }) => {
      const isWhole = Object.keys(read).every((name) => name in row)
      ofOneStatement.add(model.name)
      if (isWhole) told.add(model.name)
      expect(row).toEqual(isWhole ? read : pick(read, least))
    }
    afterEach(() => {
      expect([...told].sort()).toEqual([...ofOneStatement].sort())
    })

    test('a new row', async () => {
      const written = new Set<string>()
      for (const model of models()) {
        for (let run = 0; run < runs; run++) {
          const data = randomRow(model, maySet)
          const shown = Object.keys(model.columns)
          const row = await single.insert({ model: model.name, data, returning: model.key, shown })
          if (!row) continue
          expectTold(row, await read(model, shown), { model, least: model.key })
          const once = await take(model)
          await add(model, data)
          expect({ data, stored: once }).toEqual({ data, stored: await take(model) })
          note(written, model, data)
        }
      }
      expect([...written].sort()).toEqual([...namesOf(isInsertable)].sort())
    }, 120_000)

    test('a changed row', async () => {
      const written = new Set<string>()
      for (const model of models()) {
        const isOther = (column: ColumnMeta) => isChangeable(column, model) && !model.key.includes(column.name)
        for (let run = 0; run < runs; run++) {
          const before = randomRow(
            model,
            (column) => maySet(column) && (isComparable(column) || !column.isNullable || random() < 0.1),
          )
          const data = randomRow(model, (column) => isOther(column) && random() < 0.4)
          await add(model, before)
          const names = Object.keys(model.columns)
          const changed = await changeInOneStatement(model, data, await read(model, names))
          if (changed) expectTold(changed, await read(model, names), { model, least: [] })
          const once = await take(model)
          if (!changed) continue
          await add(model, before)
          await change(model, data)
          expect({ before, data, stored: once }).toEqual({ before, data, stored: await take(model) })
          note(written, model, data)
        }
      }
      expect([...written].sort()).toEqual([...changeable()].sort())
    }, 120_000)

    test('rows of every model, in transactions: the same rows, or the same refusal', async () => {
      const done = new Set<string>()
      for (const model of writable(resources)) {
        for (let run = 0; run < runs / 2; run++) {
          const rows = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomRow(model, maySet))
          const data = randomRow(model, (column) => random() < 0.3 && !model.key.includes(column.name))
          const [changed, removed] = [randomCondition(model), randomCondition(model)]
          const work = async (writer: RowWriter) => {
            const given = model.key.filter((name) => model.columns[name]?.default === null)
            const made: Row[] = []
            for (const data of rows) made.push(pick(await writer.insert({ model, data, returning: model.key }), given))
            const set = Object.keys(data).length > 0 ? await writer.update({ model, where: changed, data }) : null
            return { made, set, gone: await writer.remove({ model, where: removed }) }
          }
          declined = 0
          const once = await outcome(model, ({ writer }) => work(writer))
          if (declined === 0) done.add(`${model.name}: ${'refused' in once ? 'refused' : 'written'}`)
          const again = await outcome(model, ({ client: prisma }) => work(prismaWriter(prisma)))
          expect({ rows, data, once }).toEqual({ rows, data, once: again })
        }
      }
      const isWhole = (model: ModelMeta) => Object.values(model.columns).every((column) => isInsertable(column, model))
      const leftToPrisma = models().filter((model) => isWhole(model) && !done.has(`${model.name}: written`))
      expect(leftToPrisma.map(({ name }) => name)).toEqual([])
    }, 240_000)

    test('no row of which a column changed meanwhile, and one that is again what it was', async () => {
      const refused = new Set<string>()
      for (const model of models()) {
        const names = Object.keys(model.columns)
        for (const column of Object.values(model.columns)) {
          const { name: changed, isNullable } = column
          if (!changeable().includes(`${model.name}.${changed}`)) continue
          await add(model, randomRow(model, isComparable))
          for (const value of [...poolOf(column, resources), ...(isNullable ? [null] : [])]) {
            const row = await read(model, names)
            await change(model, { [changed]: value })
            const now = await read(model, names)
            if (isDeepStrictEqual(now[changed], row[changed])) continue
            const isDone = {
              asItWas: (await changeInOneStatement(model, { [changed]: row[changed] }, row)) !== null,
              asItIs: (await changeInOneStatement(model, { [changed]: now[changed] }, now)) !== null,
            }
            expect({ changed, value, isDone }).toEqual({ changed, value, isDone: { asItWas: false, asItIs: true } })
            refused.add(`${model.name}.${changed}`)
          }
          await take(model)
        }
      }
      expect([...refused].sort()).toEqual([...changeable()].sort())
    }, 120_000)
  })
}

/** Prisma makes another value each time, and of those only a UUID is known here by its looks. */
const isRandom = (by: string | null, version: unknown): boolean =>
  by === 'cuid' || by === 'ulid' || by === 'nanoid' || (by === 'uuid' && version === 7)

/** The models of which rows are created. */
const writable = ({ models }: Resources): readonly ModelMeta[] =>
  Object.values(models).filter(({ key, operations }) => key.length > 0 && operations.includes('create'))

/** Nothing else has to be there first. */
const isAlone = ({ key, operations, relations }: ModelMeta): boolean =>
  key.length > 0 && operations.includes('create') && Object.values(relations).every(({ isList }) => isList)

const note = (written: Set<string>, { name }: ModelMeta, data: Row): void => {
  for (const column in data) if (data[column] != null) written.add(`${name}.${column}`)
}

/** As the API writes a row: else a list would be NULL. */
const emptyLists = ({ columns }: ModelMeta): Row =>
  Object.fromEntries(
    Object.values(columns)
      .filter(({ isList, default: made }) => isList && made === null)
      .map(({ name }) => [name, []]),
  )

/** What is written by Prisma alone: types whose text needs a treatment of its own. */
const isWritable = ({ native }: ColumnMeta): boolean => !['Money', 'Oid'].includes(native?.[0] ?? '')

/** What is compared by Prisma alone: JSON and lists, too. */
const isKnown = (column: ColumnMeta): boolean => column.type !== 'Json' && !column.isList && isWritable(column)

/** One column that is not known leaves the whole row to Prisma, unless nothing has to be said of it. */
const isInsertable = (column: ColumnMeta, { columns, key }: ModelMeta): boolean =>
  isWritable(column) &&
  key.every((name) => columns[name]?.type !== 'Decimal') &&
  Object.values(columns).every(
    (each) => isWritable(each) || (!each.isList && (each.isNullable || each.default === 'dbgenerated')),
  )

const isComparable = (column: ColumnMeta): boolean => isKnown(column) && column.native?.[0] !== 'Xml'

const isChangeable = (column: ColumnMeta, { columns }: ModelMeta): boolean =>
  isComparable(column) && Object.values(columns).every((each) => isComparable(each) || each.isNullable)

/** The stored value itself, and its type. */
const shownAs: Readonly<Record<FixtureProvider, (column: string) => string>> = {
  sqlite: (column) => `typeof(${column}) || ' ' || quote(${column})`,
  postgresql: (column) => `${column}::text`,
}

// The one value that is another each time.
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

const wholeLevel = { where: everything, order: [], skip: 0, take: null }
