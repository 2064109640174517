import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkTables, Server } from 'prismapi'
import type { PrismaClientLike } from 'prismapi/types'
import { expect, onTestFinished, test } from 'vitest'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { resources } from '../../../prisma/generated/resources.ts'
import { migrate } from '../../../test/support/databases/sqlite.ts'
import { plain, startServers, theExample } from '../../../test/support/servers.ts'
import { sqliteClients } from '../src/sqlite.ts'

type Adapter = NonNullable<ConstructorParameters<typeof PrismaClient>[0]['adapter']>

function emptyDatabase(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'test.db')
  migrate(file)
  return `file:${file}`
}

test('a SQLite file that does not exist is named, with the command that makes it', async () => {
  const makeClient = (): never => {
    throw new Error('No client is made before the file is open.')
  }
  await expect(sqliteClients(makeClient, 'file:./nowhere/dev.db')).rejects.toThrow(
    'file:./nowhere/dev.db: this database does not exist. Run "npx prisma migrate deploy".',
  )
})

test('the client that reads is made when it is first used, which a server that reads by statements never does', async () => {
  const made: object[] = []
  const makeClient = (adapter: Adapter) => {
    const client = new PrismaClient({ adapter })
    made.push(client)
    return client
  }
  const clients = await sqliteClients(makeClient, emptyDatabase())
  await checkTables(clients, resources)
  const { as, close } = await startServers(clients, await theExample())
  expect((await as(null)('GET', '/api/v1/posts?include=author,tags')).status).toBe(200)
  await close()
  expect(made).toEqual([clients.writer])

  expect(await clients.reader.post.count()).toBe(0)
  expect('post' in clients.reader).toBe(true)
  await expect(clients.reader.$transaction([clients.reader.user.count()])).resolves.toEqual([0])
  await expect(clients.reader.tag.create({ data: { name: 'A' } })).rejects.toThrow('readonly')
  expect(made).toHaveLength(2)
  await clients.close()
})

test('what an extension makes of queries is made of those of a client that was yet to be made', async () => {
  const asked: string[] = []
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), emptyDatabase())
  const reader = clients.reader.$extends({
    query: {
      $allOperations({ operation, args, query }) {
        asked.push(operation)
        return query(args)
      },
    },
  })
  const extended: Pick<typeof clients, 'writer'> & { readonly reader: PrismaClientLike } = { ...clients, reader }
  const { as, close } = await startServers(extended as typeof clients, await theExample())
  expect((await as(null)('GET', '/api/v1/tags')).status).toBe(200)
  expect(asked).toContain('findMany')
  await close()
  await clients.close()
})

test('the first write of a process is one statement, too, for which Prisma Client does not connect', async () => {
  const connected: string[] = []
  const makeClient = (adapter: Adapter) =>
    new PrismaClient({ adapter: Object.assign(adapter, { connect: tellConnect(adapter) }) })
  const tellConnect = (adapter: Adapter) => {
    const connect = adapter.connect.bind(adapter)
    return () => {
      connected.push(adapter.adapterName)
      return connect()
    }
  }
  const clients = await sqliteClients(makeClient, emptyDatabase())
  class Open extends Server {
    override readonly name = 'v1'
    override authorizable() {
      return false
    }
  }
  const { as, logs, close } = await startServers(clients, { policies: new Map(), servers: [plain(Open)] })
  const tag = { type: 'tags', attributes: { name: 'first' } }
  expect((await as(null)('POST', '/api/v1/tags', { body: { data: tag } })).status).toBe(201)
  expect(logs.filter(({ level }) => level === 'debug')).toEqual([])
  expect(connected).toEqual([])
  await expect(clients.writer.tag.findMany()).resolves.toEqual([{ id: 1, name: 'first' }])
  await close()
  await clients.close()
})
