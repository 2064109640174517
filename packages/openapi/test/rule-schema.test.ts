import {
  array,
  bigint,
  boolean,
  bytes,
  dateTime,
  decimal,
  enumOf,
  integer,
  json,
  number,
  object,
  string,
  unique,
  uuid,
} from 'prismapi'
import { describe, expect, test } from 'vitest'
import { type ISchema, ref, string as yupString } from 'yup'
import { isRequired, ruleSchema } from '../src/value-schema.ts'

const schemaOf = (rule: ISchema<unknown>, stored?: object) => ruleSchema(rule.describe(), stored as never)

describe('the JSON Schema of a rule', () => {
  test.each<[string, ISchema<unknown>, object]>([
    ['a string', string(), { type: 'string' }],
    ['a required string', string().required(), { type: 'string', minLength: 1 }],
    ['a string with bounds', string().min(2).max(5), { type: 'string', minLength: 2, maxLength: 5 }],
    ['a pattern', string().matches(/^a+$/), { type: 'string', pattern: '^a+$' }],
    ['a pattern that JSON Schema cannot say', string().matches(/^a+$/i), { type: 'string' }],
    ['an address', string().email().nullable(), { type: ['string', 'null'], format: 'email' }],
    ['a rule that only runs', string().test(unique()), { type: 'string' }],
    ['a bound that is another field', string().max(ref('other')), { type: 'string' }],
    ['values', enumOf(['A', 'B']), { type: 'string', enum: ['A', 'B'] }],
    ['values or null', enumOf(['A']).nullable(), { type: ['string', 'null'], enum: ['A', null] }],
    ['an integer', integer().min(0).lessThan(9), { type: 'integer', minimum: 0, exclusiveMaximum: 9 }],
    ['a number', number().moreThan(0).nullable(), { type: ['number', 'null'], exclusiveMinimum: 0 }],
    ['a boolean', boolean(), { type: 'boolean' }],
    ['a date', dateTime(), { type: 'string', format: 'date-time' }],
    ['a big integer', bigint(), { type: 'string', pattern: '^-?\\d+$' }],
    ['a decimal', decimal(), { type: 'string', pattern: '^-?\\d+(?:\\.\\d+)?$' }],
    ['bytes', bytes(), { type: 'string', contentEncoding: 'base64' }],
    ['a UUID', uuid(), { type: 'string', format: 'uuid' }],
    ['JSON', json().nullable(), {}],
    ['a list', array(string().max(3)).max(2), { type: 'array', items: { type: 'string', maxLength: 3 }, maxItems: 2 }],
    ['a list that must not be empty', array().required(), { type: 'array', minItems: 1 }],
    [
      'an object',
      object({ a: integer().required(), b: boolean() }),
      { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'boolean' } }, required: ['a'] },
    ],
  ])('that is about %s', (_, rule, schema) => {
    expect(schemaOf(rule)).toEqual(schema)
  })

  test('begins with what the column holds', () => {
    expect(schemaOf(integer().min(0), { type: 'integer', format: 'int32' })).toEqual({
      type: 'integer',
      format: 'int32',
      minimum: 0,
    })
    expect(schemaOf(array(string().max(3)), { type: 'array', items: { type: 'string', format: 'uuid' } })).toEqual({
      type: 'array',
      items: { type: 'string', format: 'uuid', maxLength: 3 },
    })
  })
})

test.each<[string, ISchema<unknown>, boolean]>([
  ['that is required', string().required(), true],
  ['that may be null, but not missing', yupString().defined().nullable(), true],
  ['that may be missing', string(), false],
])('a value %s: must it be sent', (_, rule, expected) => {
  expect(isRequired(rule.describe())).toBe(expected)
})
