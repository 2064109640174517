import { describe, expect, test } from 'vitest'
import { InvalidRules, readRules } from '../../../src/validation/rules/rule-set.ts'
import { string } from '../../../src/validation/rules/rules.ts'

const known = new Set(['title', 'data'])
const read = (rules: object) => readRules(rules as never, 'PostRequest', known)

test('rules are those of fields and those of paths below them, the very objects, in their order', () => {
  const [title, data, deep] = [string(), string(), string()]
  const { fields, below } = read({ data, title, 'data.author.name': deep, slug: undefined })
  expect([...fields]).toEqual([
    ['data', data],
    ['title', title],
  ])
  expect(fields.get('title')).toBe(title)
  expect(below).toEqual([{ names: ['data', 'author', 'name'], rule: deep }])
})

describe('rules that can never be run', () => {
  test.each([
    [{ titel: string() }, 'PostRequest: there is no field for the rule titel. Did you mean title?'],
    [{ 'dat.name': string() }, 'PostRequest: there is no field for the rule dat.name. Did you mean data?'],
    [
      { somethingElse: string() },
      'PostRequest: there is no field for the rule somethingElse. Remove it, or declare the field. These exist: title, data.',
    ],
    [
      { title: 'required' },
      'PostRequest: the rule of title is no yup schema. Make it with string(), toOne() and so on.',
    ],
  ])('%o', (rules, message) => {
    expect(() => read(rules)).toThrow(new InvalidRules(message))
  })
})
