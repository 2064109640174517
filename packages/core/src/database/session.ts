import type { Bound, Stored } from './sql-database.ts'

/** The role of every request in a guarded database: it reads and changes what the policies of the tables allow. */
export const guardedRole = 'prismapi_guarded'

/**
 * The role that sees and changes all rows of a guarded database: of migrations, of jobs, and of what hooks do as the
 * system.
 */
export const trustedRole = 'prismapi_trusted'

/** The role of what the framework keeps for itself in a guarded database: kept answers, and the log of changes. */
export const frameworkRole = 'prismapi_framework'

/** What a transaction tells its database when it begins, and what ends with it. */
export interface Session {
  /** The role that the transaction has. */
  readonly role: string
  /** Who is asking: the text of the setting `prismapi.caller`. */
  readonly caller: string
  /** What earlier transactions of the request have written and its caller does not see; left out, nothing. */
  readonly written?: string
  /** The model of the log of changes, if callers may read it: the framework reads it, and shows what they may see. */
  readonly log?: string
}

/** The framework's own work, which no caller has asked for. */
export const frameworkSession: Session = Object.freeze({ role: frameworkRole, caller: '' })

/** Whether the database of these clients refuses rows itself. */
export const isGuarded = (clients: object): boolean => 'guarded' in clients && clients.guarded === true

/** What it tells, as settings. */
export const sessionSettings = ({ role, caller, written = '' }: Session): Settings => [
  ['role', role],
  ['prismapi.caller', caller],
  ['prismapi.written', written],
]

/** What tells two sessions apart. */
export const sessionText = (session: Session | undefined): string =>
  session ? `${sessionSettings(session).flat().join('\n')}\n` : ''

/** Settings of a transaction, which end with it, so that a pooler passes none of them on: their names and values. */
export type Settings = readonly (readonly [name: string, value: string])[]

/**
 * Asks PostgreSQL for so many settings; names and values by turns are its parameters. It gives no row, so that a query
 * that comes with it has none but its own.
 */
export const settingsSql = (count: number): string =>
  `SELECT WHERE ${Array.from({ length: count }, (_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true) IS NULL`).join(' OR ')}`

/** Who writes, as a log of changes names them: the request, and its user. */
export interface Signature {
  readonly request: string | null
  readonly user: string | null
}

/** The settings of a transaction that triggers of PostgreSQL sign with. */
export const signatureSettings = ({ request, user }: Signature): Settings => [
  ['prismapi.request', request ?? ''],
  ['prismapi.user', user ?? ''],
]

/** A Prisma client, or a transaction of one, as far as it takes SQL. */
export interface RawClient {
  $queryRawUnsafe(sql: string, ...values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  $executeRawUnsafe(sql: string, ...values: readonly unknown[]): Promise<number>
}

/** Carries out a statement that is written out, inside of a transaction. */
export type Ask = (sql: string, values: readonly Bound[]) => Promise<readonly Stored[]>

/** The same by Prisma Client. */
export const askBy =
  (client: object): Ask =>
  async (sql, values) =>
    (await (client as RawClient).$queryRawUnsafe(sql, ...values)).map(Object.values)

/** Makes PostgreSQL settings for the transaction that is asked. */
export const setSettings = (ask: Ask, settings: Settings): Promise<unknown> =>
  ask(settingsSql(settings.length), settings.flat())
