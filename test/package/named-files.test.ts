import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (page: string): string => readFileSync(path.join(root, page), 'utf8')
const exists = (name: string): boolean => existsSync(path.join(root, name))

test('CONTRIBUTING.md names files and folders that exist', () => {
  const text = read('CONTRIBUTING.md')
  const inCode = [...text.matchAll(/`((?:src|test|scripts|docs|api)\/[^`\s]*)`/g)].map(([, name]) => name as string)
  const inLinks = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, name]) => name as string)
  expect(inCode.length).toBeGreaterThan(30)
  expect([...inCode, ...inLinks].filter((name) => !exists(name))).toEqual([])
})

// The cookbook and `src/app/` are about files that applications have.
const pages = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(?:node_modules|cookbook)\b/.test(name))
    .map((name) => path.posix.join('docs', name.replaceAll(path.sep, '/'))),
]
const folders = readdirSync(path.join(root, 'src')).filter((name) => !name.includes('.') && name !== 'app')

test('the other pages, decisions among them, name files and folders of src/, test/ and scripts/ that exist', () => {
  const ofSource = new RegExp(`^(?:${folders.join('|')})/(?:[\\w./-]+\\.ts|[\\w/-]*/)?$`)
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`([^`\s]+\/[^`\s]*)`/g)].flatMap(([, name = '']) => {
      if (ofSource.test(name)) return [{ page, name: `src/${name}` }]
      const isOurs = /^(?:src|test|scripts)\/[\w./-]*$/.test(name) && !name.startsWith('src/app/')
      return isOurs ? [{ page, name }] : []
    }),
  )
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ name }) => !exists(name))).toEqual([])
})
