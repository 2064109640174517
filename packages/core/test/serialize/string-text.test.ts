import { stringText } from '@prismapi/core/serialize/resource-text'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('every unit of UTF-16 alone, and between others', () => {
  const texts = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
  const all = [...texts, ...texts.map((text) => `a${text}b`)]
  expect(all.filter((text) => stringText(text) !== JSON.stringify(text))).toEqual([])
})

test('texts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(stringText(text)).toBe(JSON.stringify(text))
    }),
  )
})
