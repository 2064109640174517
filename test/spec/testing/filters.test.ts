import { expectFetchedMany, type TestFilter } from '@prismapi/testing'
import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'

// Values of filters that have what separates values.

const api = useApi()
const names = ['Ann', 'Bob', 'Ann, Bob', 'back\\', 'back\\, Ann', 'zed']

beforeAll(() => api.make.tag.createMany(names.length, (index) => ({ name: names[index] as string })))

test.each<[TestFilter, readonly string[]]>([
  [{ name: 'Ann, Bob' }, ['Ann, Bob']],
  [{ name: ['Ann, Bob', 'zed'] }, ['Ann, Bob', 'zed']],
  [{ name: ['back\\', 'zed'] }, ['back\\', 'zed']],
  [{ name: ['back\\', 'Ann, Bob'] }, ['back\\', 'Ann, Bob']],
  [{ name: 'back\\' }, ['back\\']],
  [{ name: 'back\\, Ann' }, ['back\\, Ann']],
  [{ name: ['zed', 'back\\, Ann'] }, ['zed', 'back\\, Ann']],
  [{ name: { equals: 'Ann, Bob' } }, ['Ann, Bob']],
  [{ name: { contains: ', ' } }, ['Ann, Bob', 'back\\, Ann']],
  [{ name: { in: 'Ann, Bob' } }, ['Ann, Bob']],
  [{ name: { in: ['back\\', 'Ann'] } }, ['back\\', 'Ann']],
  [{ or: [{ name: 'Ann, Bob' }, { name: 'Bob' }] }, ['Ann, Bob', 'Bob']],
])('%j finds what it says', async (filter, found) => {
  const answer = await api.client.get('/tags').filter(filter)
  expectFetchedMany(
    answer,
    found.map((name) => ({ type: 'tags', attributes: { name } })),
  )
  expect(found.length).toBeGreaterThan(0)
})
