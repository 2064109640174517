import { type Settings, settingsSql } from '../settings.ts'

/** A Prisma client, or a transaction of one, as far as it takes SQL. */
export interface RawClient {
  $queryRawUnsafe(sql: string, ...values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  $executeRawUnsafe(sql: string, ...values: readonly unknown[]): Promise<number>
}

/** Makes PostgreSQL settings for the transaction that the client is of. */
export const setSettings = (client: RawClient, settings: Settings): Promise<unknown> =>
  client.$queryRawUnsafe(settingsSql(settings.length), ...settings.flat())
