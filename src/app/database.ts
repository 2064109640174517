import { type PostgresOptions, postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'
import { Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import { providerOf, shownUrl } from './database-url.ts'

/**
 * The database of the application.
 * @throws {Error} one line for a database that is missing, or whose tables are not those of the Prisma schema.
 */
export async function openDatabase(url: string, options: PostgresOptions = {}) {
  checkProvider(url)
  try {
    const clients = await connect(url, options)
    await readEveryTable(clients.reader).catch(async (error: unknown) => {
      await clients.close()
      throw error
    })
    return clients
  } catch (error) {
    throw new Error(explain(error, shownUrl(url)), { cause: error })
  }
}

// A Prisma client is generated for one kind of database.
function checkProvider(url: string): void {
  if (resources.provider === providerOf(url)) return
  throw new Error(
    `prisma/generated is for ${resources.provider}, and DATABASE_URL is ${shownUrl(url)}. Run "npx prisma generate".`,
  )
}

const makeClient = (adapter: ConstructorParameters<typeof PrismaClient>[0]['adapter'] & object) =>
  new PrismaClient({ adapter })

const connect = (url: string, options: PostgresOptions) =>
  providerOf(url) === 'sqlite' ? sqliteClients(makeClient, url) : postgresClients(makeClient, url, options)

const readEveryTable = (prisma: PrismaClient) =>
  Promise.all(Object.values(Prisma.ModelName).map((model) => tableOf(prisma, model).findFirst()))

function tableOf(prisma: PrismaClient, model: string): { findFirst(): Promise<unknown> } {
  // Prisma's own way to name them: `blogPost` for the model `BlogPost`.
  return Reflect.get(prisma, model.charAt(0).toLowerCase() + model.slice(1))
}

const migrate = 'Run "npx prisma migrate deploy".'

function explain(error: unknown, url: string): string {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'P2021' || code === 'P2022')
    return `The database ${url} does not have the tables of prisma/schema.prisma. ${migrate}`
  if (code === 'P1003' || /unable to open|does not exist|SQLITE_CANTOPEN/i.test(message))
    return `The database ${url} does not exist. ${migrate}`
  if (code === 'P1001') return `The database ${url} does not answer. Start its server, or correct DATABASE_URL.`
  return `The database ${url} cannot be opened: ${message.split('\n').at(-1)}`
}
