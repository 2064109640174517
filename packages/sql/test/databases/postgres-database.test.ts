import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { postgresDatabase } from '../../src/databases/postgres-database.ts'

interface Asked {
  readonly name?: string
  readonly text: string
}

/** A database whose pool answers each query as told, and the queries it was asked. */
function database(answer: (asked: Asked) => unknown = () => ({ rows: [] })) {
  const asked: Asked[] = []
  const query = async (config: Asked) => {
    asked.push(config)
    return answer(config)
  }
  const pool = { query } as unknown as Pool
  const names = () => asked.map(({ name = null }) => name)
  return { names, ...postgresDatabase({ pool, schema: 'public', onQuery: undefined }) }
}

test('a statement gets a name when it is used again, and keeps it', async () => {
  const { prepare, names } = database()
  const statement = prepare('select 1')
  for (let i = 0; i < 4; i++) await statement.all([])
  expect(names()).toEqual([null, 'prismapi_0', 'prismapi_0', 'prismapi_0'])
})

test('a statement whose columns changed their type is prepared anew', async () => {
  const { prepare, names } = database(({ name }) => {
    if (name === 'prismapi_0')
      throw Object.assign(new Error('cached plan must not change result type'), { code: '0A000' })
    return { rows: [[1]] }
  })
  const statement = prepare('select 1')
  await statement.all([])
  expect(await statement.all([])).toEqual([[1]])
  expect(await statement.all([])).toEqual([[1]])
  expect(names()).toEqual([null, 'prismapi_0', 'prismapi_1', 'prismapi_1'])
})
