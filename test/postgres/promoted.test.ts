import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inPostgres, withDatabase } from '../support/postgres.ts'
import { openThings, type Things } from '../support/postgres-things/things.ts'
import {
  type PrivatePostgres,
  postgresPrograms,
  startPrivatePostgres,
  startPrivateReplica,
} from '../support/private-postgres.ts'

// The address of the primary leads to a replica before it is promoted: for some seconds it can only be read.

if (postgresPrograms === null) console.warn('Promotion is not tested: initdb and pg_ctl are not installed.')

describe.skipIf(postgresPrograms === null)('a replica at the address of the primary', () => {
  let primary: PrivatePostgres
  let replica: PrivatePostgres
  let things: Things
  beforeAll(async () => {
    primary = await startPrivatePostgres()
    things = await openThings(primary.url)
    replica = await startPrivateReplica(primary)
  })
  afterAll(async () => {
    await things.close()
    await replica.remove()
    await primary.remove()
  })

  test('is read; writes are 503 with Retry-After until it is promoted, and then they are done, by the same process', async () => {
    const served = await things.serve(withDatabase(replica.url, new URL(things.url).pathname.slice(1)))
    const several = { relationships: { box: { data: null } } }
    expect((await served.ask('GET', '/things')).status).toBe(200)
    for (const answer of [await served.create(), await served.create({}, several)]) {
      const { status, headers, body } = answer
      expect({ status, after: headers.get('Retry-After'), errors: body?.errors }).toEqual({
        status: 503,
        after: '1',
        errors: [{ status: '503', title: 'Service Unavailable' }],
      })
    }
    await inPostgres(replica.url, (client) => client.query('SELECT pg_promote()'))
    expect((await served.create()).status).toBe(201)
    expect((await served.create({}, several)).status).toBe(201)
  })
})
