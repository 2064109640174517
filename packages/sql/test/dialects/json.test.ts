import { JsonNull } from '@prisma/client-runtime-utils'
import { DbNull, Decimal, nullIn } from '@prismapi/jsonapi/model/prisma-values'
import { describe, expect, test } from 'vitest'
import { NotInSql, writeJson } from '../../src/dialects/codec.ts'

describe('JSON that is written', () => {
  test.each<[unknown, string]>([
    [{ a: [1, 'x', null, { b: false }] }, '{"a":[1,"x",null,{"b":false}]}'],
    ['text', '"text"'],
    [0.5, '0.5'],
    [JsonNull, 'null'],
  ])('%j', (value, text) => {
    expect(writeJson(value)).toBe(text)
  })

  test.each<[string, unknown]>([
    ['the null of which it is not said which', null],
    ['a null of the database', DbNull],
    ['an instant', new Date(0)],
    ['a decimal', { price: new Decimal(1) }],
    ['what has a meaning to Prisma', { $type: 'Raw' }],
    ['no number', [Number.NaN]],
    ['nothing', { a: undefined }],
    ['the null character', 'a\0'],
  ])('is not %s, which Prisma makes something of', (_, value) => {
    expect(() => writeJson(value)).toThrow(NotInSql)
  })

  test('of its nulls each is told', () => {
    expect([DbNull, JsonNull, null, {}].map(nullIn)).toEqual(['DbNull', 'JsonNull', null, null])
  })
})
