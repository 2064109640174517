import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { packages, sizeOf, structurePages } from '../../scripts/structure.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** What a package may have grown to. Who needs more takes something out, or says in the commit why it has to be more. */
const budgets: Readonly<Record<string, { readonly lines: number; readonly files: number }>> = {
  cli: { lines: 8_930, files: 119 },
  auth: { lines: 1750, files: 26 },
  core: { lines: 24_850, files: 163 },
  'create-prismapi': { lines: 240, files: 5 },
  direct: { lines: 1260, files: 11 },
  jsonapi: { lines: 13_400, files: 102 },
  kept: { lines: 490, files: 4 },
  languages: { lines: 2300, files: 20 },
  live: { lines: 3200, files: 31 },
  mcp: { lines: 1950, files: 27 },
  openapi: { lines: 3500, files: 36 },
  pages: { lines: 9250, files: 85 },
  prismapi: { lines: 3600, files: 55 },
  export: { lines: 640, files: 7 },
  proof: { lines: 5_710, files: 53 },
  query: { lines: 170, files: 3 },
  search: { lines: 210, files: 2 },
  sql: { lines: 7390, files: 51 },
  testing: { lines: 8200, files: 109 },
}

test.each(packages)('packages/%s is no larger than its budget', (name) => {
  const budget = budgets[name] ?? { lines: 100, files: 3 }
  const { lines, files } = sizeOf(name)
  expect({ lines: Math.max(lines, budget.lines), files: Math.max(files, budget.files) }).toEqual(budget)
})

test.each([...structurePages()])('%s shows the structure as npm run structure draws it', (page, text) => {
  expect(readFileSync(path.join(root, page), 'utf8')).toBe(text)
})

test.each(packages)('the README of packages/%s is short: what it is, what it needs, one picture', (name) => {
  const page = readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8')
  const [words = ''] = page.split('<!-- picture -->')
  expect(words.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(14)
})

test('prismapi exports 80 names at most', () => {
  const index = readFileSync(path.join(root, 'packages/prismapi/src/building-blocks.ts'), 'utf8')
  const names = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').filter((name) => name.trim() !== ''),
  )
  expect(names.length).toBeGreaterThan(70)
  // With createApi and PrismApi of index.ts.
  expect(names.length + 2).toBeLessThanOrEqual(80)
})
