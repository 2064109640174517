import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (page: string): string => readFileSync(path.join(root, page), 'utf8')
const exists = (name: string): boolean => existsSync(path.join(root, name))

const packages = readdirSync(path.join(root, 'packages'))
const ofPackage = new RegExp(`^(?:${packages.join('|')})/`)
/** `core/http/call.ts` is short for `packages/core/src/http/call.ts`. */
const whole = (name: string): string => (ofPackage.test(name) ? `packages/${name.replace('/', '/src/')}` : name)
const namedIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w-]+\/[^`\s]*)`/g)].map(([, name]) => name as string)

test('CONTRIBUTING.md names files and folders that exist', () => {
  const text = read('CONTRIBUTING.md')
  const isOurs = (name: string) => /^(?:packages|src|test|scripts|docs|api)\//.test(name) || ofPackage.test(name)
  const inCode = namedIn(text).filter(isOurs).map(whole)
  const inLinks = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, name]) => name as string)
  expect(inCode.length).toBeGreaterThan(30)
  expect([...inCode, ...inLinks].filter((name) => !exists(name))).toEqual([])
})

test('CONTRIBUTING.md names files without their folder that are files of packages', () => {
  const files = new Set(
    packages.flatMap((name) =>
      readdirSync(path.join(root, 'packages', name), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.basename(file),
      ),
    ),
  )
  const named = [...read('CONTRIBUTING.md').matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => name as string)
  expect(named.length).toBeGreaterThan(2)
  // There is none, says the page.
  expect(named.filter((name) => !files.has(name))).toEqual(['utils.ts'])
})

test.each(packages)('the README of packages/%s names files and folders that exist', (name) => {
  const own = /^(?:src|assets)\//
  const named = namedIn(read(`packages/${name}/README.md`))
    .filter((file) => own.test(file) || ofPackage.test(file))
    .map((file) => (own.test(file) ? `packages/${name}/${file}` : whole(file)))
  expect(named.filter((file) => !exists(file) && !exists(`${file}.ts`))).toEqual([])
})

// The cookbook and `src/app/` are about files that applications have.
const pages = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(?:node_modules|cookbook)\b/.test(name))
    .map((name) => path.posix.join('docs', name.replaceAll(path.sep, '/'))),
]
const roomsOf = (name: string) => readdirSync(path.join(root, 'packages', name, 'src'))
const pure = roomsOf('jsonapi')
const rooms = [...pure, ...roomsOf('core')]

test('the other pages, decisions among them, name files and folders of packages/, test/ and scripts/ that exist', () => {
  const ofSource = new RegExp(`^(?:${rooms.join('|')})/(?:[\\w./-]+\\.ts|[\\w/-]*/)?$`)
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`([^`\s]+\/[^`\s]*)`/g)].flatMap(([, name = '']) => {
      if (ofSource.test(name))
        return [
          { page, name: `packages/${pure.includes(name.split('/')[0] as string) ? 'jsonapi' : 'core'}/src/${name}` },
        ]
      const isOurs = /^(?:packages|src|test|scripts)\/[\w./-]*$/.test(name) && !name.startsWith('src/app/')
      return isOurs ? [{ page, name }] : []
    }),
  )
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ name }) => !exists(name))).toEqual([])
})
