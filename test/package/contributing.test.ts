import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test('CONTRIBUTING.md names files and folders that exist', () => {
  const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')
  const inCode = [...text.matchAll(/`((?:src|test|scripts|docs|api)\/[^`\s]*)`/g)].map(([, name]) => name as string)
  const inLinks = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, name]) => name as string)
  expect(inCode.length).toBeGreaterThan(30)
  expect([...inCode, ...inLinks].filter((name) => !existsSync(path.join(root, name)))).toEqual([])
})
