import { expectIdentifier, expectIdentifiers, expectIdentifiersInOrder } from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { dataAnswer, messageOf, post } from './answers.ts'

const tag = (id: string | number) => ({ type: 'tags', id })
const tags = dataAnswer([tag('1'), { ...tag('2'), meta: { since: 2020 } }])

describe('expectIdentifier', () => {
  const author = dataAnswer({ type: 'users', id: '3' })

  test('takes the linkage of a to-one relationship', () => {
    expect(expectIdentifier(author, { type: 'users', id: 3 })).toEqual({ type: 'users', id: '3' })
    expect(expectIdentifier(dataAnswer(null), null)).toBeNull()
  })

  test('names what differs', () => {
    expect(messageOf(() => expectIdentifier(author, { type: 'users', id: 4 }))).toBe(
      'GET /posts\n  data.id: found "3", expected "4"',
    )
    expect(messageOf(() => expectIdentifier(author, null))).toBe(
      'GET /posts\n  data: found {"type":"users","id":"3"}, expected null',
    )
  })

  test('refuses a whole resource', () => {
    expect(messageOf(() => expectIdentifier(dataAnswer(post('1')), { type: 'posts', id: 1 }))).toBe(
      'GET /posts\n  data.0 has a member attributes',
    )
  })
})

test('expectIdentifiers takes linkage in any order, and names what is missing and what was not expected', () => {
  expectIdentifiers(tags, [tag(2), tag(1)])
  expectIdentifiers(dataAnswer([]), [])
  expect(messageOf(() => expectIdentifiers(tags, [tag(1), tag(3)]))).toBe(
    'GET /posts\n  data: tags 3 is missing\n  data: tags 2 was not expected',
  )
})

test('expectIdentifiersInOrder takes linkage in its order, and names the order that was found', () => {
  expectIdentifiersInOrder(tags, [tag(1), tag(2)])
  expect(messageOf(() => expectIdentifiersInOrder(tags, [tag(2), tag(1)]))).toBe(
    'GET /posts\n  data: the order is tags 1, tags 2, expected tags 2, tags 1',
  )
})
