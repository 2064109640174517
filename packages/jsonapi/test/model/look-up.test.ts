import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lookUpLine } from '../../src/model/look-up.ts'

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')

test('at a terminal a message leads to its place in the index of errors', () => {
  expect(lookUpLine({ isTTY: true })).toBe('Look it up: https://prismapi.dev/errors.html#messages')
  expect(page).toContain('<a id="messages"></a>\n')
})

test('where a program reads along there is nothing but the message', () => {
  expect(lookUpLine({})).toBeNull()
  expect(lookUpLine({ isTTY: false })).toBeNull()
})
