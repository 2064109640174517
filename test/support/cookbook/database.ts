import path from 'node:path'
import { sqliteClients } from '../../../src/database/sqlite.ts'
import { databases } from '../any-schema/databases.ts'
import { openTestDatabase } from '../database.ts'
import type { RecipePage } from './page.ts'
import type { RecipeProject } from './project.ts'

/** The clients of a recipe, of whatever models it has. */
export interface RecipeDatabase {
  readonly reader: unknown
  readonly writer: unknown
  close(): Promise<void>
}

/** That of the example with its rows; or an empty one, which the page's own `prisma/seed.ts` fills. */
export async function openRecipeDatabase(
  { folder, generated }: RecipeProject,
  { files }: RecipePage,
): Promise<RecipeDatabase> {
  if (!files.some(({ says }) => says.write === 'prisma/seed.ts')) return openTestDatabase()
  const { clients, close } = generated ? await databases.sqlite(generated) : await openEmptyExample(folder)
  const database = { ...(clients as unknown as Pick<RecipeDatabase, 'reader' | 'writer'>), close }
  const { seed } = await import(path.join(folder, 'prisma/seed.ts'))
  await seed(database.writer)
  return database
}

async function openEmptyExample(folder: string) {
  const { migrate } = await import('../databases/sqlite.ts')
  const { PrismaClient } = await import('../../../prisma/generated/client/client.ts')
  const file = path.join(folder, 'prisma/empty.db')
  migrate(file)
  const { close, ...clients } = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`)
  return { clients, close }
}
