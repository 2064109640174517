import { sqliteClients } from 'prismapi/sqlite'
import { PrismaClient } from '../../prisma/generated/client/client.ts'

/**
 * The database of the example.
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

const readEveryTable = ({ user, profile, post, tag, video, comment }: PrismaClient) =>
  Promise.all([
    user.findFirst(),
    profile.findFirst(),
    post.findFirst(),
    tag.findFirst(),
    video.findFirst(),
    comment.findFirst(),
  ])

function explain(error: unknown, url: string): string {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'P2021' || code === 'P2022')
    return `The database ${url} does not have the tables of prisma/schema.prisma. Run "npx prisma migrate deploy".`
  if (code === 'P1003' || /unable to open|does not exist|SQLITE_CANTOPEN/i.test(message))
    return `The database ${url} does not exist. Run "npx prisma migrate deploy".`
  return `The database ${url} cannot be opened: ${message.split('\n').at(-1)}`
}
