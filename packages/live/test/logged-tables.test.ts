import { expect, test } from 'vitest'
import { resourcesOf } from '../../../test/support/resources-of.ts'
import { loggedTables } from '../src/triggers/logged-tables.ts'

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
