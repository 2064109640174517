import { PrismaPg } from '@prisma/adapter-pg'
import { describe, expect, test } from 'vitest'
import { filtersColumns } from '../support/filters/columns.ts'
import { inPostgres, postgresAnswers, postgresUrl, shownUrl, withDatabase } from '../support/postgres.ts'

const database = `prismapi_columns_${process.pid}`

if (postgresAnswers) describe(`PostgreSQL, which answers at ${shownUrl}`, withServer)
else
  test(`nobody has named a PostgreSQL to ask, and none answers at ${shownUrl}`, () => {
    expect(process.env.TEST_POSTGRES_URL ?? '').toBe('')
  })

function withServer(): void {
  const administer = (sql: string) => inPostgres(postgresUrl, (client) => client.query(sql))
  filtersColumns(
    {
      provider: 'postgresql',
      async open() {
        await administer(`CREATE DATABASE ${database}`)
        const close = () => administer(`DROP DATABASE ${database} WITH (FORCE)`).then(() => {})
        return { adapter: new PrismaPg({ connectionString: withDatabase(postgresUrl, database) }), close }
      },
      bytes: 'BYTEA',
    },
    [
      ['filter[meta.size.width][gte]=3', [1, 2]],
      ['filter[meta.size.width][lt]=10', [1]],
      ['filter[not][0][meta.size.width][lt]=10', [2]],
      ['filter[meta.size.width][gte]="3"', [3]],
      ['filter[meta.name][contains]=a%b', [3]],
      ['filter[meta.name][startsWith]=an', [2]],
      ['filter[meta.name][istartsWith]=AN', [1, 2]],
      ['filter[meta.tags][has]=red', [1, 3]],
      ['filter[not][0][meta.tags][has]=red', [2]],
      // `%`, `_` and the backslash are plain in every search, of any case.
      ['filter[name][contains]=_', [1, 5]],
      ['filter[name][contains]=\\', [3, 7]],
      ['filter[name][contains]=B', []],
      ['filter[name][icontains]=B', [2, 6]],
      ['filter[name][iequals]=a_C', [1, 5]],
      ['filter[name][iendsWith]=_C', [1, 5]],
      ['filter[labels][has]=y', [1, 3, 4, 6, 7]],
      ['filter[labels][hasSome]=x,z', [1, 4, 7]],
      ['filter[labels][hasEvery]=x,y', [1, 4, 7]],
      ['filter[labels][isEmpty]=true', [2, 5]],
      ['filter[labels]=x,y', [1, 4, 7]],
    ],
    ['filter[labels][contains]=x', 'filter[meta.size.width][lt]=true'],
  )
}
