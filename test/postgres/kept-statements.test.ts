import { postgresDatabase } from '@prismapi/sql/databases/postgres-database'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { postgresUrl } from '../support/postgres.ts'

const pool = new pg.Pool({ connectionString: postgresUrl, max: 1 })
const { prepare } = postgresDatabase({ pool, schema: 'public', onQuery: undefined })
afterAll(() => pool.end())

async function askTwice(text: string): Promise<void> {
  const statement = prepare(text)
  await statement.all([])
  await statement.all([])
}

const kept = async (): Promise<readonly string[]> =>
  (await pool.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')).rows.map(
    ({ statement }) => statement,
  )

test('a connection keeps so many statements, of which the oldest make room for new ones', async () => {
  const first = prepare('select 0')
  await first.all([])
  await first.all([])
  expect(await kept()).toEqual(['select 0'])

  for (let i = 1; i < 600; i++) await askTwice(`select ${i}`)
  const texts = await kept()
  expect(texts.length).toBeGreaterThan(490)
  expect(texts.length).toBeLessThanOrEqual(500)
  expect(texts).toContain('select 599')
  expect(texts).not.toContain('select 0')

  expect(await first.all([])).toEqual([['0']])
  expect(await kept()).toContain('select 0')
})
