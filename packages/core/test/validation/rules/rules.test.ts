import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { InferType, ISchema } from 'yup'
import { toFailures } from '../../../src/validation/failures/failure.ts'
import { confirmed, requiredWith, same } from '../../../src/validation/rules/field-rules.ts'
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
  toMany,
  toOne,
  uuid,
} from '../../../src/validation/rules/rules.ts'

/** The names of the rules that fail. */
async function failing(rule: ISchema<unknown>, value: unknown, parent: object = {}): Promise<(string | null)[]> {
  const options = { strict: true, abortEarly: false, path: 'field', parent }
  return rule.validate(value, options).then(
    () => [],
    (error: unknown) => [...new Set(toFailures(error).map((each) => each.rule))],
  )
}

const passes = async (rule: ISchema<unknown>, value: unknown) => (await failing(rule, value)).length === 0

const others: readonly unknown[] = [true, 0, 1, 1.5, '0', '1', 'true', '', [], {}, [1], { a: 1 }]
const accepted = async (rule: ISchema<unknown>) => {
  const verdicts = await Promise.all(others.map((value) => passes(rule, value)))
  return others.filter((_, i) => verdicts[i])
}

describe('nothing is converted', () => {
  test.each([
    ['boolean', boolean(), [true]],
    ['number', number(), [0, 1, 1.5]],
    ['integer', integer(), [0, 1]],
    ['string', string(), ['0', '1', 'true', '']],
    ['array', array(), [[], [1]]],
    ['object', object(), [{}, { a: 1 }]],
    ['json', json(), others],
    ['bigint', bigint(), ['0', '1']],
    ['decimal', decimal(), ['0', '1']],
    ['bytes', bytes(), ['true', '']],
    ['enumOf', enumOf(['0', 'x']), ['0']],
    ['uuid', uuid(), []],
    ['dateTime', dateTime(), []],
  ] as const)('%s() accepts its own JSON type only', async (_name, rule, expected) => {
    expect(await accepted(rule)).toEqual(expected)
  })
})

describe('the name of the rule is reported, whatever the value is', () => {
  test.each([
    ['boolean', boolean(), 0],
    ['number', number(), '1'],
    ['number', number(), Number.POSITIVE_INFINITY],
    ['integer', integer(), '1'],
    ['integer', integer(), 1.5],
    ['integer', integer(), 2 ** 53],
    ['string', string(), 1],
    ['array', array(), {}],
    ['object', object(), []],
    ['bigint', bigint(), 1],
    ['decimal', decimal(), 1],
    ['bytes', bytes(), '%'],
    ['dateTime', dateTime(), 5],
    ['dateTime', dateTime(), 'yesterday'],
    ['enumOf', enumOf(['a']), 'b'],
    ['enumOf', enumOf(['a']), 5],
    ['uuid', uuid(), 'x'],
    ['toOne', toOne(), 'x'],
    ['toMany', toMany(), { type: 'tags', id: '1' }],
    ['toMany', toMany(), [5]],
    ['min', integer().min(3), 2],
    ['max', string().max(2), 'abc'],
    ['matches', string().matches(/^a$/), 'b'],
    ['email', string().email(), 'b'],
  ] as const)('%s', async (name, rule, value) => {
    expect(await failing(rule, value)).toEqual([name])
  })
})

describe('absent, null and empty', () => {
  const rules = {
    boolean,
    number,
    integer,
    string,
    array,
    object,
    json,
    bigint,
    decimal,
    bytes,
    dateTime,
    uuid,
    toOne,
    toMany,
  }

  test.each(Object.entries(rules))('%s() may be absent, and may not be null unless it says so', async (name, make) => {
    const rule = (make as typeof string)()
    expect(await failing(rule, undefined)).toEqual([])
    expect(await failing(rule, null)).toEqual([name === 'toOne' ? 'required' : 'nullable'])
    expect(await failing(rule.nullable(), null)).toEqual([])
    expect(await failing(rule.required(), undefined)).toEqual(['required'])
    expect(await failing(rule.required(), null)).toEqual(['required'])
  })

  test("required() counts '' and [] as empty", async () => {
    expect(await failing(string().required(), '')).toEqual(['required'])
    expect(await failing(array().required(), [])).toEqual(['required'])
    expect(await failing(toMany().required(), [])).toEqual(['required'])
    expect(await failing(array().required('Give one.').max(3), [])).toEqual(['required'])
    expect(await failing(object().required(), {})).toEqual([])
    expect(await failing(boolean().required(), false)).toEqual([])
    expect(await failing(integer().required(), 0)).toEqual([])
  })
})

test('integers are those that a double holds exactly', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.maxSafeInteger(), fc.double(), fc.constantFrom(2 ** 53, -(2 ** 53), 1e21, 5e-324)),
      async (n) => {
        expect(await passes(integer(), n)).toBe(Number.isSafeInteger(n))
      },
    ),
  )
})

test('the elements of an array follow its rule', async () => {
  const options = { strict: true, abortEarly: false, path: 'words' }
  const error = await array(string().required().max(2)).validate(['ok', 5, '', 'long'], options).catch(toFailures)
  expect(error).toMatchObject([
    { path: ['words', '1'], rule: 'string' },
    { path: ['words', '2'], rule: 'required' },
    { path: ['words', '3'], rule: 'max' },
  ])
})

describe('rules about another field', () => {
  test('confirmed() expects <field>_confirmation, or the field that is named', async () => {
    const rule = string().test(confirmed())
    expect(await failing(rule, 'a', { field_confirmation: 'a' })).toEqual([])
    expect(await failing(rule, 'a', { field_confirmation: 'b' })).toEqual(['confirmed'])
    expect(await failing(rule, 'a', {})).toEqual(['confirmed'])
    expect(await failing(rule, undefined, { field_confirmation: 'b' })).toEqual([])
    expect(await failing(string().test(confirmed('again')), 'a', { again: 'a' })).toEqual([])
  })

  test('requiredWith() and same()', async () => {
    const rule = string().test(requiredWith('password')).test(same('password'))
    expect(await failing(rule, undefined, { password: 'a' })).toEqual(['requiredWith'])
    expect(await failing(rule, undefined, {})).toEqual([])
    expect(await failing(rule, 'a', { password: 'a' })).toEqual([])
    expect(await failing(rule, 'b', { password: 'a' })).toEqual(['same'])
    expect(await failing(rule, 'b', {})).toEqual(['same'])
  })

  test('what every object inherits is no other field', async () => {
    expect(await failing(string().test(requiredWith('constructor')), undefined, {})).toEqual([])
  })
})

test('types are inferred as yup infers them', () => {
  const rule = object({
    title: string().required(),
    at: dateTime().nullable(),
    words: array(string().required()),
    role: enumOf(['a', 'b']),
  })
  type Value = NonNullable<InferType<typeof rule>>
  expectTypeOf<Value['title']>().toEqualTypeOf<string>()
  expectTypeOf<Value['at']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<Value['words']>().toEqualTypeOf<string[] | undefined>()
  expectTypeOf<Value['role']>().toEqualTypeOf<'a' | 'b' | undefined>()
})
