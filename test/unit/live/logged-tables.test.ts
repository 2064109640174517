import { expect, test } from 'vitest'
import { loggedTables } from '../../../src/live/triggers/logged-tables.ts'
import { resourcesOf } from '../../support/resources-of.ts'

const schema = `
datasource db {
  provider = "postgresql"
  schemas  = ["archive", "shop"]
}

model Article {
  id   Int   @id
  tags Tag[]
  @@schema("archive")
}

model Tag {
  id       Int       @id
  articles Article[]
  @@schema("shop")
}`

test('a join table between two schemas is logged where Prisma puts it: beside the model whose name comes first', () => {
  const logged = loggedTables(resourcesOf(schema, 'postgresql')).map(({ dbSchema, table }) => `${dbSchema}.${table}`)
  expect(logged).toEqual(['archive.Article', 'shop.Tag', 'archive._ArticleToTag'])
})
