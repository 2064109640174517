import { expect, test } from 'vitest'
import { checkContext, fakePaginator } from '../../../../test/support/query-context.ts'
import { registryOf, schemaOfModel } from '../../../../test/support/schemas.ts'
import { checkDefaults } from '../../src/query/check-defaults.ts'

const boot = (more: object) => () => checkDefaults(checkContext({ registry: registryOf(schemaOfModel('Post', more)) }))

test('defaults that a client could ask for are fine', () => {
  const more = {
    defaultSort: '-publishedAt,author.name',
    defaultInclude: ['author', 'tags'],
    singularFilters: new Set(['slug']),
  }
  expect(boot(more)).not.toThrow()
})

test.each([
  [{ defaultSort: 'foo' }, 'posts: defaultSort: Sort parameter foo is not allowed.'],
  [{ defaultInclude: ['foo'] }, 'posts: defaultInclude: Include path foo is not allowed.'],
  [
    { paginator: fakePaginator(), defaultPage: { limit: 1 } },
    'posts: defaultPagination: Page parameter limit is not allowed.',
  ],
  [{ singularFilters: new Set(['foo']) }, 'posts: singular filter foo'],
])('%o stops the start', (more, message) => {
  expect(boot(more)).toThrow(message)
})
