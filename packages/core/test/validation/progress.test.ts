import { NotKnown } from '@prismapi/jsonapi/model/register'
import { expect, test } from 'vitest'
import { type Passed, Progress } from '../../src/validation/request/request-base.ts'

const passed = { values: { title: 'A' } } as unknown as Passed

test('a request knows its data when validation has begun, and what passed when it has succeeded', () => {
  const progress = new Progress()
  expect(() => progress.dataFor('input()')).toThrow(
    new NotKnown('input() has no answer yet: it is known only after validation has begun.'),
  )
  progress.begin({ title: 'A' })
  expect(progress.dataFor('input()')).toEqual({ title: 'A' })
  expect(() => progress.passedFor('validated()')).toThrow(
    new NotKnown('validated() has no answer yet: it is known only after validation has succeeded.'),
  )
  progress.pass(passed)
  expect(progress.passedFor('validated()')).toBe(passed)
})

test('an instance of a request class is validated once', () => {
  const progress = new Progress()
  progress.begin({ title: 'A' })
  expect(() => progress.begin({ title: 'B' })).toThrow(
    'A request is validated once: make another instance of its class.',
  )
  expect(progress.dataFor('input()')).toEqual({ title: 'A' })
})
