import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { create } from '../src/create.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prismapi-create-'))
})
afterEach(() => rmSync(root, { recursive: true }))

async function npmCreate(...args: string[]) {
  const said: string[] = []
  const note = (text: string) => void said.push(text)
  const status = await create(args, root, { say: note, complain: note, paint: (_colour, text) => text })
  return { status, said: said.join('\n') }
}

const error = (message: string) => ({ status: 1, said: `error ${message}` })
const usage = 'Usage: npm create prismapi [folder] -- [--provider=sqlite|postgresql] [--dry-run]'

const afterInstall = `  npm install
  npx prisma generate
  npx prisma migrate dev --name init
  npx prisma db seed
  npm start`

test('a folder that is named is made, has an application, and the next commands begin there', async () => {
  const { status, said } = await npmCreate('apis/blog')
  expect(status).toBe(0)
  expect(readdirSync(root)).toEqual(['apis'])
  const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'apis/blog/package.json'), 'utf8'))
  expect(name).toBe('blog')
  expect(dependencies.prismapi).toBe('^0.1.0')
  expect(devDependencies).toMatchObject({ '@prismapi/cli': '^0.1.0', '@prismapi/testing': '^0.1.0' })
  expect(existsSync(join(root, 'apis/blog/src/app/main.ts'))).toBe(true)
  expect(said).toContain('created src/app/main.ts\n')
  expect(said.slice(said.indexOf('\nNext:'))).toBe(`\nNext:\n  cd apis/blog\n${afterInstall}`)
})

test('without a name, this folder is the one', async () => {
  const { status, said } = await npmCreate()
  expect(status).toBe(0)
  expect(existsSync(join(root, 'prisma/schema.prisma'))).toBe(true)
  expect(said.slice(said.indexOf('\nNext:'))).toBe(`\nNext:\n${afterInstall}`)
  expect(await npmCreate('.')).toEqual({ status: 0, said: 'Nothing to do: everything is there already.' })
})

test('options are those of init, wherever they stand', async () => {
  await npmCreate('--provider', 'postgresql', 'a blog')
  const schema = readFileSync(join(root, 'a blog/prisma/schema.prisma'), 'utf8')
  expect(schema).toContain('provider = "postgresql"')
  expect((await npmCreate('--provider=postgresql', 'b blog')).said).toContain('\n  cd "b blog"\n')
})

test('a project that has a Prisma schema gets an API', async () => {
  mkdirSync(join(root, 'shop/prisma'), { recursive: true })
  writeFileSync(join(root, 'shop/package.json'), '{ "type": "module" }')
  writeFileSync(
    join(root, 'shop/prisma/schema.prisma'),
    `generator client {
  provider = "prisma-client"
  output   = "../generated"
}

datasource db {
  provider = "sqlite"
}

model Order {
  id Int @id
}
`,
  )
  const { status, said } = await npmCreate('shop')
  expect(status).toBe(0)
  expect(said).toContain('created policies/order.policy.ts\n')
  expect(said.slice(said.indexOf('\nNext:'))).toBe('\nNext:\n  cd shop\n  npm install\n  npx prisma generate')
})

test('--dry-run makes nothing, not even the folder', async () => {
  const { status, said } = await npmCreate('blog', '--dry-run')
  expect(status).toBe(0)
  expect(said).toContain('+++ b/src/app/main.ts\n')
  expect(said).not.toContain('Next:')
  expect(readdirSync(root)).toEqual([])
})

test('--help says the usage and the options of init', async () => {
  const { status, said } = await npmCreate('--help')
  expect(status).toBe(0)
  expect(said).toContain('npm create prismapi [folder] -- [--provider=sqlite|postgresql] [--dry-run]\n')
  expect(said).toMatch(/^ {2}--dry-run +Shows what would change/m)
  expect(readdirSync(root)).toEqual([])
})

test.each([
  [['one', 'two'], usage],
  [['blog', '--povider=sqlite'], expect.stringContaining(`Unknown option '--povider'`)],
  [['blog', '--provider=mongodb'], '--provider is sqlite or postgresql, not "mongodb".'],
])('%j is refused, and nothing is made', async (args, message) => {
  expect(await npmCreate(...args)).toEqual(typeof message === 'string' ? error(message) : { status: 1, said: message })
  expect(readdirSync(root)).toEqual([])
})

test('a file of that name is told', async () => {
  writeFileSync(join(root, 'blog'), 'own')
  expect(await npmCreate('blog')).toEqual(error('blog is a file. Name a folder.'))
  expect(readFileSync(join(root, 'blog'), 'utf8')).toBe('own')
})
