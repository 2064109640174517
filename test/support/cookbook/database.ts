import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { NewProvider } from '@prismapi/cli/init/new-application'
import { liveMigration } from '@prismapi/live/triggers/live-migration'
import { sqliteClients } from '@prismapi/sql/sqlite'
import { databases } from '../any-schema/databases.ts'
import type { Generated } from '../any-schema/generate.ts'
import { userEnv } from '../clone.ts'
import { openTestDatabase } from '../database.ts'
import type { RecipePage } from './page.ts'
import type { RecipeProject } from './project.ts'

/** The clients of a recipe, of whatever models it has. */
export interface RecipeDatabase {
  readonly reader: unknown
  readonly writer: unknown
  /** Of an application with models of its own. */
  readonly url?: string
  close(): Promise<void>
}

/** That of the example with its rows; or an empty one, which the page's own `prisma/seed.ts` fills. */
export async function openRecipeDatabase(
  { folder, generated }: RecipeProject,
  { files }: RecipePage,
  provider: NewProvider = 'sqlite',
): Promise<RecipeDatabase> {
  if (!files.some(({ says }) => says.write === 'prisma/seed.ts')) return openTestDatabase()
  if (generated) return openSeeded(folder, generated, provider)
  const { clients, close } = await openEmptyExample(folder)
  const { seed } = await import(path.join(folder, 'prisma/seed.ts'))
  await seed(clients.writer)
  return { ...clients, close }
}

/** With the rows that `npx prisma db seed` writes in an application by `init`. */
async function openSeeded(folder: string, generated: Generated, provider: NewProvider): Promise<RecipeDatabase> {
  const { url, clients, execute, close } = await databases[provider](generated)
  if ('Change' in generated.resources.models) await execute(liveMigration(generated.resources))
  const env = userEnv({ DATABASE_URL: url, AUTH_SECRET: 'the secret of a seed, which signs nothing' })
  const args = ['--conditions=prismapi/source', '--import', 'tsx', 'prisma/seed.ts']
  await promisify(execFile)(process.execPath, args, { cwd: folder, env })
  return { ...(clients as unknown as Pick<RecipeDatabase, 'reader' | 'writer'>), url, close }
}

async function openEmptyExample(folder: string) {
  const { migrate } = await import('../databases/sqlite.ts')
  const { PrismaClient } = await import('../../../prisma/generated/client/client.ts')
  const file = path.join(folder, 'prisma/empty.db')
  migrate(file)
  const { close, ...clients } = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`)
  return { clients, close }
}
