import { badParameter, forbidden } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectSame, parsedOr } from '../../../tools/fuzz/target.ts'
import { targets } from '../../../tools/fuzz/targets/targets.ts'

// `npm run fuzz` goes on from here, led by what the inputs reach.

test.each(targets)('$name: no input that is right, or nearly so, is a fault', ({ inputs, check }) => {
  fc.assert(fc.property(inputs, check), { numRuns: 300 })
})

test.each(targets)('$name: nor is any text', ({ check }) => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), check), { numRuns: 300 })
})

describe('a finding is', () => {
  test('what is thrown and no error of a client', () => {
    const broken = () => (null as unknown as string).length
    expect(() => parsedOr([400], broken)).toThrow(TypeError)
  })

  test('an error with a status that the parser does not have', () => {
    const refused = () => {
      throw forbidden()
    }
    expect(() => parsedOr([400], refused)).toThrow('It is refused with 403')
    expect(parsedOr([400, 403], refused)).toBeUndefined()
  })

  test('what is read as something else where it was printed', () => {
    expect(() => expectSame(['a'], ['b'], '"a"')).toThrow('"\\"a\\"" is read as ["b"], not ["a"]')
    expect(() => expectSame(new Map([['a', 1]]), new Map([['a', 1]]), 'a')).not.toThrow()
  })
})

test('what a parser refuses is no finding', () => {
  const refused = () => {
    throw badParameter('sort', say`No.`)
  }
  expect(parsedOr([400], refused)).toBeUndefined()
})
