import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/model/prisma-values.ts'
import { cursorSeal } from '../../src/pagination/cursor-seal.ts'

const { seal, open } = cursorSeal('a secret')

test('what is sealed is opened again, every kind of value exactly', () => {
  const place = ['text ü\u0000', 42, -0.1, true, null, new Date('2024-02-29T12:34:56.789Z'), 2n ** 62n, Infinity, '']
  expect(open('posts', seal('posts', place))).toEqual(place)
  // As the text that Prisma takes for a Decimal.
  expect(open('posts', seal('posts', [new Decimal('1.10e-9')]))).toEqual(['0.0000000011'])
  expect([open('posts', seal('posts', null)), open('posts', seal('posts', 'an-id'))]).toEqual([null, 'an-id'])
})

test('one place has one cursor, in every process that has the secret', () => {
  const cursor = seal('posts', ['a', 1])
  expect(cursor).toMatch(/^[\w-]{40,}$/)
  expect([seal('posts', ['a', 1]), cursorSeal('a secret').seal('posts', ['a', 1])]).toEqual([cursor, cursor])
})

test('a cursor says nothing to whom it is sent', () => {
  const text = Buffer.from(seal('posts', ['confidential', 1]), 'base64url').toString('latin1')
  expect(text).not.toContain('confidential')
})

test('a cursor of another list, or of another secret, cannot be opened', () => {
  const cursor = seal('posts', [1])
  expect([open('comments', cursor), cursorSeal('another').open('posts', cursor)]).toEqual([undefined, undefined])
  expect(cursorSeal(null).open('posts', cursorSeal(null).seal('posts', [1]))).toBeUndefined()
})

test('nor can one that was changed, anywhere', () => {
  const cursor = seal('posts', ['a', 1])
  const changed = [...cursor].map((_, i) => {
    const other = cursor[i] === 'A' ? 'B' : 'A'
    return cursor.slice(0, i) + other + cursor.slice(i + 1)
  })
  const spelled = [`${cursor}=`, `${cursor} `, ` ${cursor}`, cursor.slice(1), cursor.slice(0, -1), `${cursor}AAAA`]
  expect([...changed, ...spelled].filter((each) => open('posts', each) !== undefined)).toEqual([])
})

test('nor can any other text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => open('posts', text) === undefined))
})
