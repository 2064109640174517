import { expect, test } from 'vitest'
import { pointer } from '../../src/document/types.ts'

test('members are appended, indexes too', () => {
  expect(pointer('/data/relationships', 'tags', 'data', 0, 'id')).toBe('/data/relationships/tags/data/0/id')
})

test('the whole document is the empty pointer', () => {
  expect(pointer('')).toBe('')
})

test('tilde and slash are escaped, in an order that keeps them apart', () => {
  expect(pointer('/data/attributes', 'a/b', '~1', '')).toBe('/data/attributes/a~1b/~01/')
})
