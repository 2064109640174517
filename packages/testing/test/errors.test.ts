import { expectAmongErrors, expectErrors, expectErrorsExactly } from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { dataAnswer, errorAnswer, messageOf } from './answers.ts'

const required = {
  status: '422',
  title: 'Unprocessable Entity',
  detail: 'The title field is required.',
  source: { pointer: '/data/attributes/title' },
}
const tooLong = { status: '422', title: 'Unprocessable Entity', detail: 'The slug field is too long.' }
const both = errorAnswer(422, required, tooLong)

describe('expectErrors', () => {
  test('takes those and no others, in any order, as far as they are named', () => {
    const found = expectErrors(both, [
      { status: 422, detail: /slug/ },
      { status: 422, source: required.source },
    ])
    expect(found).toEqual([required, tooLong])
  })

  test('names where an error differs', () => {
    expect(messageOf(() => expectErrors(errorAnswer(422, required), [{ status: 422, detail: 'No.' }]))).toBe(
      'POST /posts\n  errors[0].detail: found "The title field is required.", expected "No."',
    )
  })

  test('names an error that is missing, and one that was not expected', () => {
    expect(messageOf(() => expectErrors(both, [{ status: 422, detail: /title/ }]))).toBe(
      `POST /posts\n  errors: ${JSON.stringify(tooLong)} was not expected`,
    )
    const wanted = [{ status: 422 }, { status: 422 }, { status: 422, detail: /third/ }]
    expect(messageOf(() => expectErrors(both, wanted))).toBe(
      'POST /posts\n  errors: {"status":"422","detail":"/third/"} is missing',
    )
  })

  test('wants the status that errors have in common', () => {
    expect(messageOf(() => expectErrors(both, [{ status: 403 }]))).toBe(
      'POST /posts\n' +
        '  status: found 422, expected 403\n' +
        '  errors[0]: 422 Unprocessable Entity: The title field is required. {"pointer":"/data/attributes/title"}\n' +
        '  errors[1]: 422 Unprocessable Entity: The slug field is too long.',
    )
    const mixed = errorAnswer(400, required, { status: '403', title: 'Forbidden' })
    expectErrors(mixed, [{ status: 403 }, { status: 422 }])
  })

  test('refuses success', () => {
    expect(messageOf(() => expectErrors(dataAnswer([]), [{ status: 404 }]))).toBe(
      'GET /posts\n  status: found 200, expected 404',
    )
  })

  test('refuses a pointer to nothing that was sent', () => {
    const dead = errorAnswer(422, { ...required, source: { pointer: '/data/attributes/slug' } })
    expect(messageOf(() => expectErrors(dead, [{ status: 422 }]))).toBe(
      'POST /posts\n  errors.0.source.pointer leads to nothing that was sent: /data/attributes/slug',
    )
  })

  test('shows a matcher the whole source', () => {
    const { source } = required
    expectErrors(errorAnswer(422, required), [{ status: 422, source: expect.objectContaining(source) }])
    const wanted = [{ status: 422, source: expect.not.objectContaining(source) }]
    expect(messageOf(() => expectErrors(errorAnswer(422, required), wanted))).toBe(
      'POST /posts\n' +
        '  errors[0].source: found {"pointer":"/data/attributes/title"}, expected ObjectNotContaining {"pointer":"/data/attributes/title"}',
    )
  })

  test('finds an error of its own for each, whichever is said first', () => {
    expectErrors(both, [{ status: 422 }, { status: 422, detail: /title/ }])
    expectErrors(both, [{ status: 422, detail: /title/ }, { status: 422 }])
  })

  test('refuses a test that expects nothing', () => {
    expect(() => expectErrors(both, [{ status: 422 }, { status: 422, detail: undefined }])).toThrow(
      'errors[1].detail: undefined is expected, with which nothing can be compared. Leave it out, or say what it is.',
    )
    expect(() => expectErrors(both, [{ status: undefined as never }])).toThrow(
      'errors[0].status: nothing is no HTTP status. Name the one that the error has.',
    )
  })

  test('wants an error to be named', () => {
    expect(() => expectErrors(both, [])).toThrow('expectErrors: the list of errors is empty. Name at least one.')
  })
})

test('expectErrorsExactly compares every member', () => {
  expectErrorsExactly(both, [tooLong, required])
  expect(messageOf(() => expectErrorsExactly(errorAnswer(422, tooLong), [{ status: 422, title: tooLong.title }]))).toBe(
    'POST /posts\n  errors[0].detail: found "The slug field is too long.", expected nothing',
  )
})

test('expectAmongErrors takes some of them, and names what is missing', () => {
  expectAmongErrors(both, [{ status: 422, detail: /title/ }])
  expectAmongErrors(errorAnswer(400, required, { status: '403', title: 'Forbidden' }), [{ status: 403 }])
  expect(messageOf(() => expectAmongErrors(both, [{ status: 422, code: 'unique' }]))).toContain(
    '  errors[0].code: missing, expected "unique"',
  )
})
