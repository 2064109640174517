import { describe, expect, test } from 'vitest'
import { JsonApiError } from '../../src/document/error.ts'
import { badParameter, conflict, forbidden } from '../../src/document/errors.ts'
import { Message, named, say } from '../../src/document/text.ts'

const upper = (gap: unknown) => String(gap).toUpperCase()

describe('a text', () => {
  test('is English at once, and has numbers for its gaps as a template', () => {
    const text = say`Sort ${'a'} by ${3}, or ${say`by ${null}`}.`
    expect([String(text), text.template]).toEqual(['Sort a by 3, or by null.', 'Sort {0} by {1}, or {2}.'])
    expect(text.fill('{1}: {0}, {0}; {2} {3} :max', upper)).toBe('3: A, A; BY NULL {3} :max')
  })

  test('may have names for its gaps', () => {
    const text = new Message(['A ', ' of ', '.'], ['name', 8], [':attribute', ':max'])
    expect([String(text), text.template]).toEqual(['A name of 8.', 'A :attribute of :max.'])
    expect(text.fill(':max, :attribute, :other, {0}', upper)).toBe('8, NAME, :other, {0}')
  })

  test('without gaps is its own template', () => {
    expect([String(named('a {0} b')), named('a {0} b').template]).toEqual(['a {0} b', 'a {0} b'])
  })

  test('does not fill what was filled in', () => {
    expect(say`${'{1}'} and ${'{0}'}`.fill('{0} und {1}', String)).toBe('{1} und {0}')
  })
})

describe('an error', () => {
  const tell = (text: unknown) => (text instanceof Message ? `<${text.template}>` : `<<${text}>>`)

  test('is in English, and may be told again', () => {
    const error = badParameter('sort', say`Sort parameter ${'x'} is not allowed.`)
    const source = { parameter: 'sort' }
    expect(error.errors).toEqual([
      { status: '400', title: 'Invalid Query Parameter', detail: 'Sort parameter x is not allowed.', source },
    ])
    expect(error.translated(tell, { 'Content-Language': 'de' })).toMatchObject({
      headers: { 'Content-Language': 'de' },
      errors: [
        { status: '400', title: '<Invalid Query Parameter>', detail: '<Sort parameter {0} is not allowed.>', source },
      ],
    })
  })

  test('keeps its templates when it is joined, split and changed, and its members their order', () => {
    const joined = JsonApiError.all([forbidden(), conflict('Mine.', '/data')]) as JsonApiError
    const changed = joined.map((each) => ({ ...each, source: { pointer: '/x' } }))
    const texts = (error: JsonApiError) =>
      error.translated(tell, {}).errors.map((each) => [Object.keys(each).join(), each.title, each.detail])
    expect(changed.split().flatMap(texts)).toEqual([
      ['status,title,detail,source', '<<Forbidden>>', '<This action is unauthorized.>'],
      ['status,title,detail,source', '<<Conflict>>', '<<Mine.>>'],
    ])
    expect(changed.status).toBe(400)
  })
})
