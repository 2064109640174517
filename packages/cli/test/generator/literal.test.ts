import fc from 'fast-check'
import { expect, test } from 'vitest'
import { literal, quoted } from '../../src/generator/literal.ts'

const evaluate = (source: string): unknown => new Function(`return ${source}`)()

test('any string is quoted so that it reads back', () => {
  const isSame = (text: string) => {
    expect(evaluate(quoted(text))).toBe(text)
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), isSame))
})

test('any value reads back, at any depth of lines', () => {
  const name = fc.oneof(fc.stringMatching(/^[A-Za-z]\w{0,8}$/), fc.string()).filter((text) => text !== '__proto__')
  const leaf = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null), fc.array(fc.string()))
  const value = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf, { noNullPrototype: true })), {
    noNullPrototype: true,
  })
  const isSame = (data: unknown, lines: number) => {
    expect(evaluate(literal(data, lines))).toEqual(data)
  }
  fc.assert(fc.property(value, fc.nat(3), isSame))
})

test('members are put on lines down to the depth asked for', () => {
  expect(literal({ a: { b: { c: 'x' } }, d: [['e']], f: {} }, 2)).toBe(
    "{\n  a: {\n    b: { c: 'x' },\n  },\n  d: [['e']],\n  f: {},\n}",
  )
})
