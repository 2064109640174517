import { equals, everything } from '@prismapi/jsonapi/condition/build'
import { expect, test } from 'vitest'
import { resources } from '../../../../test/support/schemas.ts'
import { rowsSeenOf } from '../../src/query/query-context.ts'

test('behind a relation the rows within the scope of its model are seen; without a scope all are', () => {
  const open = equals(resources.models.Post as never, 'id', 1)
  const check = { scopes: new Map([['Post', open]]) }
  expect([rowsSeenOf('Post', check), rowsSeenOf('Tag', check)]).toEqual([open, everything])
})
