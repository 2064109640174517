import { describe, expect, test } from 'vitest'
import { registryOf, schemaOfModel } from '../../../../test/support/schemas.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { inputsOf } from '../../src/query/query-cache.ts'
import type { ResourceSchema } from '../../src/schema/resource-schema.ts'

const inputs = (search: string, schema: ResourceSchema = schemaOfModel('Post')) => {
  const { isPersonal, crosses } = inputsOf(parseQuery({ search }, { parameters: 100 }), [schema], registryOf(schema))
  return { isPersonal, crosses: [...crosses].sort() }
}

describe('the models whose scopes may have a part in a query', () => {
  test.each([
    ['', []],
    ['?page[number]=2&page[size]=20&include=author,comments&fields[users]=name', []],
    ['?sort=-title&filter[title]=a', []],
    ['?filter[author.name]=Bo', ['User']],
    ['?filter%5Bauthor%5D%5Bname%5D=Bo', ['User']],
    ['?filter[or][0][author.name]=Bo', ['User']],
    ['?sort=title,-author.name', ['User']],
    ['?includeSort[comments]=author.name&include=comments', ['Comment', 'User']],
  ])('are those of the relations that it names: %s', (search, crosses) => {
    expect(inputs(search)).toEqual({ isPersonal: false, crosses })
  })

  test('are those of the default sort, too', () => {
    expect(inputs('', schemaOfModel('Post', { defaultSort: 'author.name' })).crosses).toEqual(['User'])
  })
})

test('a query that names the deleted rows is the request’s own', () => {
  const trashable = schemaOfModel('Post', { deletedAtAttribute: 'deletedAt' })
  for (const search of ['?filter[trashed]=with', '?fields[posts]=deletedAt', '?sort=deletedAt'])
    expect(inputs(search, trashable).isPersonal).toBe(true)
  expect(inputs('?sort=title', trashable).isPersonal).toBe(false)
})
