import { expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'

test('an option that is a number is that number', () => {
  expect(parseNumber('--seconds', '30')).toBe(30)
  expect(parseNumber('--seed', '0', { from: 0 })).toBe(0)
  expect(parseNumber('--load', '0.7', { from: 0, isFraction: true })).toBe(0.7)
})

test('an option that nobody names has the number that it has otherwise', () => {
  expect(parseNumber('--seconds', undefined, { otherwise: 60 })).toBe(60)
})

test.each([
  ['--seconds', 'long', {}, '--seconds must be a whole number from 1 on, not "long".'],
  ['--seconds', '', {}, '--seconds must be a whole number from 1 on, not "".'],
  ['--runs', '1e3', {}, '--runs must be a whole number from 1 on, not "1e3".'],
  ['--runs', '0', {}, '--runs must be a whole number from 1 on, not "0".'],
  ['--seed', '-1', { from: 0 }, '--seed must be a whole number from 0 on, not "-1".'],
  ['--posts', '11', { to: 10 }, '--posts must be a whole number from 1 to 10, not "11".'],
  ['--load', 'all', { from: 0, isFraction: true }, '--load must be a number from 0 on, not "all".'],
  ['--load', undefined, {}, '--load must be a whole number from 1 on, not "".'],
])('%s %s is refused in one sentence', (option, text, numbers, message) => {
  expect(() => parseNumber(option, text, numbers)).toThrow(new Error(message))
})
