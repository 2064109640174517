import type { Resources } from '../model/meta.ts'
import { delegateOf } from './prisma/delegates.ts'
import type { Delegates, PrismaClientLike } from './store.ts'

/**
 * Looks at every table that the Prisma schema names, for the start of a process and for `/ready`.
 *
 * @param client any Prisma client of the database
 * @returns where every table is there, with all its columns
 * @throws {Error} one line that names the model and the command, where a migration was not applied
 *
 * @example
 * declare const prisma: PrismaClientLike
 * declare const resources: Resources // of prisma/generated/resources.ts
 *
 * await checkTables(prisma, resources)
 */
export async function checkTables(client: PrismaClientLike, { models }: Resources): Promise<void> {
  for (const { name } of Object.values(models)) {
    try {
      await delegateOf(client as object as Delegates, name).findFirst({})
    } catch (error) {
      const lacking = lackingBy[(error as { code?: string }).code ?? '']
      if (lacking === undefined) throw error
      const message = `The database has no ${lacking} ${name} of the Prisma schema. Run "npx prisma migrate deploy".`
      throw new Error(message, { cause: error })
    }
  }
}

// https://www.prisma.io/docs/orm/reference/error-reference
const lackingBy: Readonly<Record<string, string>> = { P2021: 'table for the model', P2022: 'column of the model' }
