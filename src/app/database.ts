import { sqliteClients } from 'prismapi/sqlite'
import { Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'

/**
 * The database of the application.
 * @throws {Error} one line for a file that is missing, or whose tables are not those of the Prisma schema.
 */
export async function openDatabase(url: string) {
  try {
    const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), url)
    await readEveryTable(clients.reader)
    return clients
  } catch (error) {
    throw new Error(explain(error, url), { cause: error })
  }
}

const readEveryTable = (prisma: PrismaClient) =>
  Promise.all(Object.values(Prisma.ModelName).map((model) => tableOf(prisma, model).findFirst()))

function tableOf(prisma: PrismaClient, model: string): { findFirst(): Promise<unknown> } {
  // Prisma's own way to name them: `blogPost` for the model `BlogPost`.
  return Reflect.get(prisma, model.charAt(0).toLowerCase() + model.slice(1))
}

function explain(error: unknown, url: string): string {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'P2021' || code === 'P2022')
    return `The database ${url} does not have the tables of prisma/schema.prisma. Run "npx prisma migrate deploy".`
  if (code === 'P1003' || /unable to open|does not exist|SQLITE_CANTOPEN/i.test(message))
    return `The database ${url} does not exist. Run "npx prisma migrate deploy".`
  return `The database ${url} cannot be opened: ${message.split('\n').at(-1)}`
}
