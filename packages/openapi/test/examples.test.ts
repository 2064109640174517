import { expect, test } from 'vitest'
import { registry } from '../../core/test/auth/fixture.ts'
import { checkExamples } from '../src/compile-openapi.ts'
import { sentExample } from '../src/examples.ts'

const check = (examples: Readonly<Record<string, string>>) => () =>
  checkExamples({ name: 'v1', openapi: { examples } }, registry)

test('an example of a type that is not there stops the start', () => {
  expect(check({ posts: '1' })).not.toThrow()
  expect(check({ tag: '1' })).toThrow(
    'Server v1: openapi.examples names a type tag, which it does not serve. Did you mean tags?',
  )
  expect(check({ invoices: '1' })).toThrow('There are: posts, users, tags.')
})

const example = { type: 'tags', id: '1', attributes: { name: 'One', size: 3 } }
const data = (required: readonly string[], fields: readonly string[], more: readonly string[] = []) => ({
  required: ['type', ...more],
  properties: { attributes: { properties: Object.fromEntries(fields.map((name) => [name, {}])), required } },
})

test('what is sent is what may be written of an example, where that is enough', () => {
  const sent = { type: 'tags', attributes: { name: 'One' } }
  expect(sentExample(example, data(['name'], ['name']))).toEqual({ examples: [{ data: sent }] })
  expect(sentExample(example, data([], ['name'], ['id']))).toEqual({ examples: [{ data: { ...sent, id: '1' } }] })
  expect(sentExample(example, data(['secret'], ['name', 'secret']))).toEqual({})
  expect(sentExample(example, data([], ['name'], ['relationships']))).toEqual({})
})
