import { expect, test } from 'vitest'
import { JsonApiError, throwAll } from '../../src/document/error.ts'
import { nonCompliant } from '../../src/document/errors.ts'
import { say } from '../../src/document/text.ts'

test('nothing wrong throws nothing', () => {
  expect(throwAll([])).toBeUndefined()
})

test('no more than a thousand failures are made, let alone reported', () => {
  let made = 0
  function* endless() {
    for (;;) {
      made++
      yield nonCompliant(say`No.`, '/data')
    }
  }
  const thrown = (() => {
    try {
      throwAll(endless())
    } catch (error) {
      return error
    }
  })()
  expect(thrown).toBeInstanceOf(JsonApiError)
  expect([made, (thrown as JsonApiError).errors.length]).toEqual([1000, 1000])
})
