import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lookUpLine } from '../../src/model/look-up.ts'

const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8')

test('at a terminal a message leads to its place in the index of errors', () => {
  expect(lookUpLine({ isTTY: true })).toBe('Look it up: https://prismapi.dev/errors.html#messages')
  expect(read('errors')).toContain('<a id="messages"></a>\n')
})

test('a warning leads to its cause and cure', () => {
  expect(lookUpLine({ isTTY: true }, 'doctor#warnings')).toBe('Look it up: https://prismapi.dev/doctor.html#warnings')
  expect(read('doctor')).toContain('\n## Warnings\n')
})

test('where a program reads along there is nothing but the message', () => {
  expect(lookUpLine({})).toBeNull()
  expect(lookUpLine({ isTTY: false })).toBeNull()
})
