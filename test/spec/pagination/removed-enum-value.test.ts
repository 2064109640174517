import { type Resources, Schema } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { badParameter, expectErrors } from '../../support/answers.ts'
import { openTestDatabase, provider } from '../../support/database.ts'
import { openServer } from '../../support/open-server.ts'
import { type Database, type Running, startServers } from '../../support/servers.ts'

// A client has kept a cursor while the application was deployed without a value of an enum.

const Paged = class extends Schema<'User'> {
  override pagination() {
    return new CursorProfilePagination()
  }
}

let database: Database
const running: Running[] = []
const start = async (own: Resources) => {
  const servers = [openServer('users', { User: Paged })]
  const server = await startServers(database, { policies: new Map(), resources: own, servers })
  running.push(server)
  return server.as(null)
}

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  for (const server of running) await server.close()
  await database.close()
})

// PostgreSQL's enums have an order that the schema does not tell, so there are no such pages.
test.runIf(provider === 'sqlite')('a cursor that names a value which is gone is no cursor any more', async () => {
  const first = '/api/users/users?sort=role&page[size]=1'
  const before = await start(resources)
  const { body } = await before('GET', first)
  expect(body.data[0].attributes.role).toBe('ADMIN')
  const { pathname, search } = new URL(body.links.next)
  const second = (await before('GET', pathname + search)).body.data
  expect(second).toHaveLength(1)

  const { Role } = resources.enums as Resources['enums']
  const without = async (value: string) => {
    const values = Role?.values.filter((each) => each !== value) as readonly string[]
    return (await start({ ...resources, enums: { Role: { ...Role, values } } } as Resources))('GET', pathname + search)
  }
  expect((await without('MEMBER')).body.data).toEqual(second)
  expectErrors(
    await without('ADMIN'),
    badParameter('page[after]', 'Page parameter after is not a cursor of this collection in this order.'),
  )
})
