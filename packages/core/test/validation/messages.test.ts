import { say } from '@prismapi/jsonapi/document/text'
import { describe, expect, test } from 'vitest'
import { type ISchema, setLocale } from 'yup'
import { failure, toFailures } from '../../src/validation/failures/failure.ts'
import { detailOf, type Wording } from '../../src/validation/failures/messages.ts'
import { matches, parsePath, writePath } from '../../src/validation/failures/places.ts'
import { array, integer, string } from '../../src/validation/rules/rules.ts'

const ours: Wording = { messages: {}, attributes: {} }
const said = (rule: string | null, value: unknown = undefined, params: Record<string, unknown> = {}) =>
  String(detailOf(failure(['publishedAt'], rule, { value, params }), ours))

describe('a failed rule says', () => {
  test.each<[string, string]>([
    ['required', 'field is required.'],
    ['nullable', 'field must not be null.'],
    ['boolean', 'field must be a boolean.'],
    ['number', 'field must be a number.'],
    ['integer', 'field must be an integer.'],
    ['string', 'field must be a string.'],
    ['array', 'field must be an array.'],
    ['object', 'field must be an object.'],
    ['bigint', 'field must be a 64-bit integer, written as a string.'],
    ['decimal', 'field must be a decimal number, written as a string.'],
    ['bytes', 'field must be a base64 string.'],
    ['uuid', 'field must be a valid UUID.'],
    ['email', 'field must be a valid email address.'],
    ['url', 'field must be a valid URL.'],
    ['storable', 'field must not contain characters that cannot be stored.'],
    ['exact', 'field must be a value that can be stored exactly.'],
    ['future', 'field must be in the future.'],
    ['dateTime', 'is not a valid ISO 8601 date and time.'],
    ['clientId', 'format is invalid.'],
    ['matches', 'format is invalid.'],
    ['unique', 'has already been taken.'],
    ['confirmed', 'field confirmation does not match.'],
    ['notSupported', 'field is not supported.'],
    ['constructor', 'field is invalid.'],
    ['a rule of the application', 'field is invalid.'],
  ])('%s: %s', (rule, text) => {
    expect(said(rule)).toBe(`The published at ${text}`)
  })

  test.each<[string, unknown, Record<string, unknown>, string]>([
    ['min', 'a', { min: 3 }, 'field must be at least 3 characters.'],
    ['min', [], { min: 3 }, 'field must have at least 3 items.'],
    ['min', 1, { min: 3 }, 'field must be at least 3.'],
    ['max', 'a', { max: 3 }, 'field must not be greater than 3 characters.'],
    ['max', [], { max: 3 }, 'field must not have more than 3 items.'],
    ['max', 9, { max: 3 }, 'field must not be greater than 3.'],
    ['length', 'a', { length: 3 }, 'field must be exactly 3 characters.'],
    ['length', [], { length: 3 }, 'field must have exactly 3 items.'],
    ['length', 1, { length: 3 }, 'field must be exactly 3.'],
    ['enumOf', 'x', { values: 'a, b' }, 'field must be one of a, b.'],
    ['oneOf', 'x', { values: 'a, b' }, 'field must be one of a, b.'],
    ['requiredWith', null, { other: 'webSite' }, 'field is required when web site is present.'],
    ['same', null, { other: 'first_name' }, 'field must match first name.'],
    ['exact', '1', { digits: 15 }, 'field must not have more than 15 digits.'],
    ['exact', '1', { digits: 6, scale: 2 }, 'field must not have more than 4 digits before and 2 behind the point.'],
    [
      'decimal',
      '12345.678',
      { digits: 6, scale: 2 },
      'field must not have more than 4 digits before and 2 behind the point.',
    ],
    ['decimal', '-1', { digits: 6 }, 'field must not have more than 6 digits.'],
    ...['x1', '1x', '1.', '.5', '--1', 12].map(
      (value) =>
        ['decimal', value, { digits: 6, scale: 2 }, 'field must be a decimal number, written as a string.'] as const,
    ),
  ] as [string, unknown, Record<string, unknown>, string][])('%s of %j with %j: %s', (rule, value, params, text) => {
    expect(said(rule, value, params)).toBe(`The published at ${text}`)
  })

  test('of relations, what they contain', () => {
    const params = { field: 'tags', types: 'tags' }
    expect(said('toOne', null, params)).toBe('The tags field must be a to-one relationship containing tags resources.')
    expect(said('toMany', null, params)).toBe(
      'The tags field must be a to-many relationship containing tags resources.',
    )
  })

  test('that it is invalid, where it has no name', () => {
    expect(said(null)).toBe('The published at field is invalid.')
  })
})

describe('an application may say it otherwise', () => {
  const wording: Wording = {
    messages: {
      'title.max': 'At most :max, :other and :attribute!',
      'tags.*.id.required': 'Name each.',
      'tags.3.id.required': 'Name the fourth.',
      required: ({ attribute, value, params }) => `${attribute} ${value} ${JSON.stringify(params)}`,
      email: say`No address.`,
    },
    attributes: { title: 'the headline', 'tags.*': 'a tag', 'tags.0': 'the first tag' },
  }
  const text = (path: string, rule: string | null, more: object = {}) =>
    String(detailOf(failure(path.split('.'), rule, more), wording))

  test('by field and rule, with what is in its gaps', () => {
    expect(text('title', 'max', { params: { max: 5 } })).toBe('At most 5, :other and the headline!')
  })

  test('by a path with a star, or the very one', () => {
    expect([text('tags.0.id', 'required'), text('tags.12.id', 'required'), text('tags.3.id', 'required')]).toEqual([
      'Name each.',
      'Name each.',
      'Name the fourth.',
    ])
  })

  test('by the rule alone, by a function, by a text with gaps', () => {
    expect(text('bodyText', 'required', { value: 1, params: { a: 2 } })).toBe('body text 1 {"a":2}')
    expect(text('bodyText', 'email')).toBe('No address.')
  })

  test('or name the field alone', () => {
    expect([text('title', 'url'), text('tags.0', 'url'), text('tags.1', 'url'), text('tags.1x', 'url')]).toEqual([
      'The the headline field must be a valid URL.',
      'The the first tag field must be a valid URL.',
      'The a tag field must be a valid URL.',
      'The tags.1x field must be a valid URL.',
    ])
  })

  test('and what the rule itself says comes before ours', () => {
    expect(text('title', 'url', { message: 'Oh.' })).toBe('Oh.')
    expect(text('bodyText', 'required', { message: 'Oh.' })).toBe('body text undefined {}')
    expect(text('title', null, { message: 'Oh.' })).toBe('Oh.')
  })

  test('words are parted', () => {
    const name = (path: string) => String(detailOf(failure([path], 'url'), ours)).slice(4, -27)
    expect(['publishedAt', 'first_name', 'a__b--c', 'isbn13Code', 'ABC'].map(name)).toEqual([
      'published at',
      'first name',
      'a b c',
      'isbn13 code',
      'abc',
    ])
  })
})

describe('a path', () => {
  const paths = [['tags'], ['tags', '0', 'id'], ['meta', 'a.b', 'c'], ['a.b'], ['tags', '10', '2']]

  test('is written as yup does', () => {
    expect(paths.map(writePath)).toEqual(['tags', 'tags[0].id', 'meta["a.b"].c', '["a.b"]', 'tags[10][2]'])
    expect(writePath(['x1', '1x'])).toBe('x1.1x')
  })

  test('and read', () => {
    expect(paths.map((path) => parsePath(writePath(path)))).toEqual(paths)
  })

  test('names values of the data, missing ones too', () => {
    const data = { tags: [{ id: 1 }, {}], meta: { a: null } }
    const found = (...names: readonly string[]) =>
      [...matches(data, names)].map(({ path, value }) => [path.join('.'), value])
    expect(found('tags', '*', 'id')).toEqual([
      ['tags.0.id', 1],
      ['tags.1.id', undefined],
    ])
    expect(found('meta', 'a', 'b')).toEqual([['meta.a.b', undefined]])
    expect(found('meta', '*')).toEqual([['meta.a', null]])
    expect(found('tags', 'toString')).toEqual([['tags.toString', undefined]])
    expect([found('nothing', '*', 'id'), found('meta', 'a', '*'), found()]).toEqual([[], [], []])
    expect([...matches(data, ['meta', 'a'])][0]?.parent).toBe(data.meta)
  })
})

describe('what yup throws', () => {
  const failures = async (rule: ISchema<unknown>, value: unknown) =>
    rule.validate(value, { strict: true, abortEarly: false }).then(
      () => [],
      (error: unknown) =>
        toFailures(error).map(({ path, rule: name, message, isInferred }) => [
          path.join('.'),
          name,
          message,
          isInferred,
        ]),
    )

  test('is each failed rule, with a text only where the application wrote one', async () => {
    expect(await failures(string().max(1), 'ab')).toEqual([['', 'max', null, false]])
    expect(await failures(string().max(1, 'Short!'), 'ab')).toEqual([['', 'max', 'Short!', false]])
    expect(await failures(string().label('Name').max(1), 'ab')).toEqual([['', 'max', null, false]])
    expect(await failures(string().typeError('Text!'), 5)).toEqual([['', 'string', 'Text!', false]])
    expect(await failures(string().meta({ isInferred: true }).email().min(9), 'ab')).toEqual([
      ['', 'email', null, true],
      ['', 'min', null, true],
    ])
    expect(await failures(array(integer()), [1, 'x', 2.5])).toEqual([
      ['1', 'integer', null, false],
      ['2', 'integer', null, false],
    ])
    expect(typeof setLocale).toBe('function')
  })

  test('and any other error as it is', () => {
    const other = new Error('Oh.')
    expect(() => toFailures(other)).toThrow(other)
  })
})
