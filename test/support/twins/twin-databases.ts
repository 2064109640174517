import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { Delegates } from '@prismapi/core/database/store'
import type { ColumnMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { liveMigration } from '@prismapi/live/triggers/live-migration'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { databases, type FixtureDatabase } from '../any-schema/databases.ts'
import { type FixtureProvider, schemaOf } from '../any-schema/fixtures.ts'
import { generateIn } from '../any-schema/generate.ts'
import { visible } from './application.ts'
import { allRows } from './rows.ts'

/** The clients of one of the two databases, as those of the example are typed. */
export interface TwinClients {
  readonly reader: PrismaClient
  readonly writer: PrismaClient
}

/** The rows of each model that nobody sees, and those that are seen. */
export interface Sight {
  readonly hidden: ReadonlyMap<string, readonly Row[]>
  readonly shown: ReadonlyMap<string, readonly Row[]>
}

interface Leaving {
  readonly hidden: Sight['hidden']
  readonly askers: readonly (number | null)[]
}

/** Two databases, of which the second one has no row that nobody sees. */
export class TwinDatabases {
  readonly clients: readonly [TwinClients, TwinClients]
  readonly resources: Resources
  private readonly databases: readonly FixtureDatabase[]
  private readonly provider: FixtureProvider
  private readonly folder: string

  private constructor(
    given: Pick<TwinDatabases, 'resources'> & { databases: readonly FixtureDatabase[]; provider: FixtureProvider },
    folder: string,
  ) {
    this.resources = given.resources
    this.databases = given.databases
    this.provider = given.provider
    this.folder = folder
    this.clients = given.databases.map(({ clients }) => clients) as never
  }

  static async open(provider: FixtureProvider): Promise<TwinDatabases> {
    const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-twins-'))
    const models = readFileSync(path.resolve(import.meta.dirname, '../../fixtures/twins.prisma'), 'utf8')
    const opened: FixtureDatabase[] = []
    for (const name of ['full', 'pruned']) {
      const generated = await generateIn(path.join(folder, name), schemaOf(models, provider))
      const database = await databases[provider](generated)
      await database.execute(liveMigration(generated.resources))
      opened.push(database)
      if (name === 'pruned') return new TwinDatabases({ ...generated, databases: opened, provider }, folder)
    }
    throw new Error('There are two databases.')
  }

  async close(): Promise<void> {
    for (const each of this.databases) await each.close()
    rmSync(this.folder, { recursive: true })
  }

  /**
   * Puts all rows back as they were at the beginning, and takes those that nobody sees out of the second database. There, users have other
   * values in the fields that only they see, but for those who ask.
   */
  async refill(askers: readonly (number | null)[]): Promise<Sight> {
    const [full, pruned] = this.databases as [FixtureDatabase, FixtureDatabase]
    const given = Object.entries(allRows)
    await full.execute(this.fillSql(given))
    const { hidden, shown } = await this.sight()
    await pruned.execute(
      this.fillSql(given.map(([model, rows]) => [model, this.left(model, rows, { hidden, askers })])),
    )
    return { hidden, shown }
  }

  private async sight(): Promise<Sight> {
    const [{ writer }] = this.clients
    const [hidden, shown] = [new Map<string, readonly Row[]>(), new Map<string, readonly Row[]>()]
    for (const [model, where] of Object.entries(visible)) {
      const delegate = delegateOf(writer as unknown as Delegates, model)
      const seen = await delegate.findMany({ where })
      const keys = new Set(seen.map((row) => this.keyOf(model, row)))
      shown.set(model, seen)
      hidden.set(
        model,
        (await delegate.findMany({})).filter((row) => !keys.has(this.keyOf(model, row))),
      )
    }
    return { hidden, shown }
  }

  private keyOf(model: string, row: Row): string {
    return (this.resources.models[model]?.key ?? []).map((column) => row[column]).join('_')
  }

  /** Rows without those that are hidden, and without what leads to these. */
  private left(model: string, rows: readonly Row[], { hidden, askers }: Leaving): readonly Row[] {
    const isGone = (of: string, key: unknown) => (hidden.get(of) ?? []).some((row) => this.keyOf(of, row) === key)
    if (model === '_DocToTag') return rows.filter(({ A, B }) => !isGone('Doc', `${A}`) && !isGone('Tag', `${B}`))
    const meta = this.resources.models[model]
    const keys = Object.values(meta?.relations ?? {}).flatMap(({ foreignKey, model: target }) =>
      foreignKey?.columns.every((name) => meta?.columns[name]?.isNullable)
        ? [{ columns: foreignKey.columns, target }]
        : [],
    )
    return rows
      .filter((row) => !isGone(model, this.keyOf(model, row)))
      .map((row) => {
        const gone = keys.filter(({ columns, target }) =>
          isGone(target, columns.map((column) => row[column]).join('_')),
        )
        const nulls = gone.flatMap(({ columns }) => columns.map((column) => [column, null] as const))
        const owner = { doc: 'Doc', user: 'User', place: 'Place' }[String(row.ownerType)]
        return {
          ...row,
          ...Object.fromEntries(nulls),
          ...(owner && isGone(owner, row.ownerId) && { ownerType: null, ownerId: null }),
          ...(model === 'User' &&
            !askers.includes(Number(row.id)) && {
              email: `other-${9 - Number(row.id)}@example.org`,
              pin: (Number(row.id) * 5) % 7,
            }),
        }
      })
  }

  private fillSql(tables: readonly (readonly [string, readonly Row[]])[]): string {
    const isPostgres = this.provider === 'postgresql'
    const inserts = tables.flatMap(([model, rows]) =>
      rows.map((row) => {
        const columns = this.resources.models[model]?.columns ?? {}
        const values = Object.entries(row).map(([name, value]) => this.literal(value, columns[name]))
        return `INSERT INTO "${model}" (${Object.keys(row).map((name) => `"${name}"`)}) VALUES (${values})`
      }),
    )
    const cleared = [...tables.map(([model]) => model), 'IdempotencyKey', 'Change'].map(
      (name) => `DELETE FROM "${name}"`,
    )
    const counted = Object.values(this.resources.models).filter(
      ({ columns }) => columns.id?.default === 'autoincrement',
    )
    // Ids of new rows tell nothing of how many others there are.
    const numbers = isPostgres
      ? counted.map(({ name }) => `ALTER SEQUENCE "${name}_id_seq" RESTART WITH 1000`)
      : [
          'DELETE FROM sqlite_sequence',
          ...counted.map(({ name }) => `INSERT INTO sqlite_sequence (name, seq) VALUES ('${name}', 999)`),
        ]
    const all = [...cleared, ...inserts, 'DELETE FROM "Change"', ...numbers].join(';\n')
    return isPostgres
      ? `BEGIN; SET LOCAL session_replication_role = 'replica'; ${all}; COMMIT`
      : `PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE; ${all}; COMMIT`
  }

  private literal(value: unknown, column: ColumnMeta | undefined): string {
    if (value === null || value === undefined) return 'NULL'
    if (value instanceof Date) return `'${value.toISOString().replace('Z', '+00:00')}'`
    if (typeof value === 'boolean') return this.provider === 'postgresql' ? String(value) : value ? '1' : '0'
    return typeof value === 'number'
      ? String(value)
      : `'${String(value).replaceAll("'", "''")}'${column?.isEnum && this.provider === 'postgresql' ? `::"${column.type}"` : ''}`
  }
}
