import path from 'node:path'
import { api, factories, testDatabases } from '@prismapi/testing'
import { sqliteClients } from 'prismapi/sqlite'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { resources } from '../../../prisma/generated/resources.ts'
import { createApp } from '../../../src/app/app.ts'
import { signToken } from '../../../src/app/auth.ts'

// The example for files of node:test, which know nothing of vitest.

const authSecret = 'the secret of the tests, which is long enough'
const databases = testDatabases({ migrations: path.resolve(import.meta.dirname, '../../../prisma/migrations') })
const logger = { debug() {}, info() {}, warn() {}, error: console.error }

/** The example over an empty database, with what asks it and what fills it. */
export async function openExample() {
  const database = await databases.open()
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), database.url)
  const env = { authSecret, production: false }
  const app = createApp({ env, baseUrl: 'https://api.example.org', clients, logger })
  const signIn = async ({ id }: { readonly id: number }) => ({
    Authorization: `Bearer ${await signToken(id, authSecret)}`,
  })
  const client = api(() => app, { base: '/api/v1', signIn })
  return {
    client,
    make: factories(resources, clients.writer),
    database,
    async close() {
      await client.close()
      await clients.close()
      await database.close()
    },
  }
}
