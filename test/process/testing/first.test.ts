import {
  api,
  expectCreated,
  expectErrors,
  expectFetchedMany,
  expectIncluded,
  factories,
  testDatabases,
} from '@prismapi/testing'
import Koa from 'koa'
import { createApi, discover } from 'prismapi'
import { sqliteClients } from 'prismapi/sqlite'
import { afterAll, beforeAll, test } from 'vitest'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { resources } from '../../../prisma/generated/resources.ts'
import { authenticator, signToken } from '../../../src/app/auth.ts'

const authSecret = 'a secret of the tests, and of nothing else'
const logger = { debug() {}, info() {}, warn() {}, error: console.error }
const databases = testDatabases({ migrations: 'prisma/migrations' })

/** The application over an empty database of its own. */
async function openApp() {
  const database = await databases.open()
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), database.url)
  const authenticate = authenticator(clients.reader, authSecret)
  const found = await discover({ root: process.cwd(), resources })
  const baseUrl = 'https://api.example.org'
  const served = createApi({ resources, clients, ...found, authenticate, baseUrl, logger, production: false })
  const koa = new Koa().use(served.middleware()).use(served.notFound())
  const signIn = async ({ id }: { id: number }) => ({ Authorization: `Bearer ${await signToken(id, authSecret)}` })
  const client = api(koa, { base: '/api/v1', signIn })
  const make = factories(resources, clients.writer)
  const close = async () => {
    await client.close()
    await clients.close()
    await database.close()
  }
  return { client, make, close }
}

let app: Awaited<ReturnType<typeof openApp>>
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

test('everybody reads what is published, and no drafts', async () => {
  const { client, make } = app
  const ann = await make.user.create({ name: 'Ann' })
  const published = await make.post.createMany(2, { author: ann, publishedAt: new Date('2025-01-01') })
  await make.post.create({ author: ann, publishedAt: null })

  const answer = await client.get('/posts').include('author').filter({ author: ann.id })
  expectFetchedMany(answer, published)
  expectIncluded(answer, [ann])
})

test('a member writes a post, and a guest does not', async () => {
  const { client, make } = app
  const ann = await make.user.create()
  const post = { type: 'posts', attributes: { title: 'One', slug: 'one', content: 'Text' } }

  expectErrors(await client.post('/posts', post), [{ status: 403 }])
  expectCreated(await client.as(ann).post('/posts', post), post)
})
