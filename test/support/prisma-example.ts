import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sqliteClients } from '@prismapi/sql/sqlite'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { migrate } from './databases/sqlite.ts'

/** The example's empty database in a file, with the clients that a server has of it. */
export async function openExample() {
  const folder = mkdtempSync(path.join(tmpdir(), 'prisma-example-'))
  const file = path.join(folder, 'example.db')
  migrate(file)
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`)
  return {
    ...clients,
    async close() {
      await clients.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export type Example = Awaited<ReturnType<typeof openExample>>

/** A user, as a row that can be created. */
export const user = (name: string) => ({ name, email: `${name}@example.com`, passwordHash: '' })
