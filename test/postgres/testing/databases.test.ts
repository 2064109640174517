import { testDatabases } from '@prismapi/testing'
import { templateKey } from '@prismapi/testing/internal/databases/template'
import { afterAll, expect, test } from 'vitest'
import { inPostgres, postgresUrl } from '../../support/postgres.ts'

// Databases of test files on a PostgreSQL server.

const run = (url: string, sql: string) => inPostgres(url, async (client) => (await client.query(sql)).rows)
const exists = async (url: string) =>
  (await run(postgresUrl, `SELECT 1 FROM pg_database WHERE datname = '${new URL(url).pathname.slice(1)}'`)).length > 0

let seeded = 0
const createTable = (url: string) => run(url, 'CREATE TABLE tag (name text)')
const options = {
  server: postgresUrl,
  // A template of this run's own.
  name: `tag ${Date.now()}`,
  migrate: createTable,
  async seed(url: string) {
    seeded++
    await run(url, "INSERT INTO tag VALUES ('news')")
  },
}

afterAll(async () => {
  const key = templateKey([], [options.name, ...[options.migrate, options.seed].map(String)])
  await run(postgresUrl, `DROP DATABASE prismapi_template_${key}`)
})

test('a test file has a database of its own, like a template that is made once', async () => {
  const [one, other] = await Promise.all([testDatabases(options).open(), testDatabases(options).open()])
  const third = await testDatabases(options).open()
  await run(one.url, "INSERT INTO tag VALUES ('mine')")
  expect(await run(one.url, 'SELECT name FROM tag')).toEqual([{ name: 'news' }, { name: 'mine' }])
  expect(await run(other.url, 'SELECT name FROM tag')).toEqual([{ name: 'news' }])
  expect(await run(third.url, 'SELECT name FROM tag')).toEqual([{ name: 'news' }])
  // Two began at the same time; the third found what they had made.
  expect(seeded).toBeLessThanOrEqual(2)
  for (const database of [one, other, third]) {
    await database.close()
    expect(await exists(database.url)).toBe(false)
  }
})

test('of many that make the template at the same moment, each finds it', async () => {
  for (let round = 0; round < 3; round++) {
    const name = `many ${Date.now()} ${round}`
    const made: string[] = []
    let ready = () => {}
    const together = new Promise<void>((resolve) => (ready = resolve))
    // All of them are drafts before the first is given the name.
    const migrate = (url: string) => {
      if (made.push(url) === 6) ready()
      return together
    }
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => testDatabases({ server: postgresUrl, name, migrate }).open()),
    )
    for (const database of opened) await database.close()
    await run(postgresUrl, `DROP DATABASE prismapi_template_${templateKey([], [name, String(migrate), 'undefined'])}`)
  }
})

test('it is gone when its block ends, whoever is still connected', async () => {
  let url: string
  {
    await using database = await testDatabases(options).open()
    url = database.url
    expect(await exists(url)).toBe(true)
  }
  expect(await exists(url)).toBe(false)
})
