import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { read, root } from '../support/documentation/pages.ts'

const page = read('docs/errors.md')

const sources = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(path.join(folder, name)).replaceAll(/^ *(?:\*|\/\/).*$/gm, ''))

const namesIn = (texts: readonly string[], pattern: RegExp): readonly string[] =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)))].sort()

const missing = (names: readonly string[]): readonly string[] => names.filter((name) => !page.includes(`\`${name}\``))

test('the index of errors has every code that an error of the server can have', () => {
  const codes = namesIn([...sources('packages/jsonapi/src'), ...sources('packages/core/src')], /\bcode: '([a-z-]+)'/g)
  expect(codes).toContain('too-expensive')
  expect(missing(codes)).toEqual([])
})

test('it has the name of every rule, which is the code of its failures', () => {
  const rules = namesIn(sources('packages/core/src/validation/rules'), /\b(?:name|rule): '(\w+)'/g)
  expect(rules).toContain('unique')
  expect(missing(rules)).toEqual([])
})

test('it has every status that a factory of errors gives', () => {
  const statuses = namesIn([read('packages/jsonapi/src/document/errors.ts')], /JsonApiError\(\s*(\d{3})/g)
  expect(statuses.length).toBeGreaterThan(15)
  expect(statuses.filter((status) => !new RegExp(`^\\| .*\\b${status}\\b`, 'm').test(page))).toEqual([])
})
