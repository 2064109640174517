import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { create } from '../src/create.ts'
import type { Machine } from '../src/machine.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prismapi-create-'))
})
afterEach(() => rmSync(root, { recursive: true }))

interface Somebody {
  /** What somebody types at each question; nobody is there without it. */
  readonly typed?: readonly string[]
  /** The command that fails. */
  readonly failing?: string
}

async function npmCreate(args: readonly string[], { typed, failing }: Somebody = {}) {
  const said: string[] = []
  const asked: string[] = []
  const ran: string[] = []
  const note = (text: string) => void said.push(text)
  const answers = [...(typed ?? [])]
  const machine: Machine = {
    ask: typed
      ? async (question) => {
          asked.push(question)
          return answers.shift() ?? ''
        }
      : null,
    async run(command, folder) {
      ran.push(`${folder.slice(root.length + 1)}: ${command}`)
      if (command === failing) throw new Error('It said why.')
      return command.includes('run --silent key') ? 'pk_made' : ''
    },
  }
  const terminal = { say: note, complain: note, paint: (_colour: unknown, text: string) => text }
  const status = await create(args, root, terminal, machine)
  return { status, said: said.join('\n'), asked, ran, box: said.at(-1)?.trim().split('\n') ?? [] }
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
const inFolder = (folder: string, ...commands: string[]) => commands.map((command) => `${folder}: ${command}`)
const steps = ['npm install', 'npx prisma generate', 'npx prisma migrate dev --name init', 'npx prisma db seed']
const error = (message: string) => ({ status: 1, said: `error ${message}` })

test('four answers make an application, install it, and end in a box', async () => {
  const { status, asked, ran, box } = await npmCreate([], { typed: ['shop', '', 'ldap', 'pass', ''] })
  expect(status).toBe(0)
  expect(asked).toEqual([
    'Which folder? (my-api) ',
    'Which database? (SQLITE, postgresql) ',
    'How do people sign in? (PASSWORD, better-auth, oidc, keys, token) ',
    // "ldap" is none of them.
    'How do people sign in? (PASSWORD, better-auth, oidc, keys, token) ',
    'Some rows to begin with? (YES, no) ',
  ])
  expect(ran).toEqual(inFolder('shop', ...steps))
  expect(manifestOf('shop').dependencies['@prismapi/auth']).toBe('^0.1.0')
  expect(box).toEqual([
    '╭────────────────────────────────────────────────────╮',
    '│ Your application is ready.                         │',
    '│                                                    │',
    '│ Admin    http://127.0.0.1:3000/api/v1 in a browser │',
    '│ API      http://127.0.0.1:3000/api/v1/posts        │',
    '│ OpenAPI  http://127.0.0.1:3000/api/v1/openapi.json │',
    '│ Sign in  ann@example.com, password-of-the-seed     │',
    '│                                                    │',
    '│ Next: cd shop                                      │',
    '│       npm run dev                                  │',
    '╰────────────────────────────────────────────────────╯',
  ])
})

test('flags answer in place of somebody, and without a terminal nobody is asked', async () => {
  const flags = ['blog', '--provider=postgresql', '--auth=keys', '--no-seed']
  expect((await npmCreate(flags, { typed: [] })).asked).toEqual([])
  const { status, ran, box } = await npmCreate(['apis/blog'])
  expect(status).toBe(0)
  expect(ran).toEqual(inFolder('apis/blog', ...steps))
  expect(manifestOf('apis/blog')).toMatchObject({
    name: 'blog',
    dependencies: { prismapi: '^0.1.0' },
    devDependencies: { '@prismapi/cli': '^0.1.0', '@prismapi/testing': '^0.1.0' },
  })
  expect(box.join('\n')).toMatch(/│ Token {4}npm run token -- ann@example\.com +│/)
})

test('the commands of docs/generators.md do what it says', async () => {
  const page = readFileSync(new URL('../../../docs/generators.md', import.meta.url), 'utf8')
  const lines = [...page.matchAll(/^npm create prismapi(.*)$/gm)].map(([, words = '']) => words.split(' ').slice(1))
  expect(lines).toHaveLength(2)
  for (const words of lines) {
    const { status, ran } = await npmCreate(words.filter((word) => word !== '--'))
    expect([status, ran.length]).toEqual([0, words.includes('--no-seed') ? 3 : 4])
  }
  expect(manifestOf('shop').dependencies).toHaveProperty('pg')
})

test('--yes asks nothing', async () => {
  expect((await npmCreate(['--yes'], { typed: ['never'] })).asked).toEqual([])
  expect(existsSync(join(root, 'prisma/schema.prisma'))).toBe(true)
})

test.each([
  [['--auth=keys'], 'Key      pk_made'],
  [['--auth=oidc'], 'Sign in  fill in the OIDC_ variables of .env'],
  [['--auth=better-auth'], 'Sign up  POST http://127.0.0.1:3000/api/auth/sign-up/email'],
  [['--no-seed'], 'Sign in  make a user first, as prisma/seed.ts does'],
])('with %j the box says how to sign in', async (flags, line) => {
  const { box, ran } = await npmCreate(['blog', ...flags])
  expect(box.find((each) => each.includes(line))).toBeDefined()
  expect(ran.some((each) => each.includes('db seed'))).toBe(!flags.includes('--no-seed'))
})

test('a command that fails is told, and the box has what is left', async () => {
  const { status, said, ran, box } = await npmCreate(['blog'], { failing: steps[2] as string })
  expect(status).toBe(1)
  expect(ran).toEqual(inFolder('blog', ...steps.slice(0, 3)))
  expect(said).toContain('It said why.\nerror npx prisma migrate dev --name init failed. Its words stand above.\n')
  expect(box.filter((line) => !/[─]/.test(line)).map((line) => line.slice(2, -2).trimEnd())).toEqual([
    'Your application is written.',
    '',
    'Next: cd blog',
    '      npx prisma migrate dev --name init',
    '      npx prisma db seed',
    '      npm run dev',
  ])
})

test('--no-install runs nothing', async () => {
  const { status, ran, box } = await npmCreate(['a blog', '--no-install'])
  expect([status, ran]).toEqual([0, []])
  expect(box.slice(3, 5).map((line) => line.slice(2, -2).trimEnd())).toEqual(['Next: cd "a blog"', '      npm install'])
  expect(await npmCreate(['a blog'])).toMatchObject({
    status: 0,
    said: 'Nothing to do: everything is there already.',
    ran: [],
  })
})

test('a project that has a Prisma schema gets an API, and is asked nothing but its folder', async () => {
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
  const { status, said, asked, ran, box } = await npmCreate([], { typed: ['shop'] })
  expect([status, asked]).toEqual([0, ['Which folder? (my-api) ']])
  expect(said).toContain('created policies/order.policy.ts\n')
  expect(ran).toEqual(inFolder('shop', 'npm install', 'npx prisma generate'))
  expect(box.join('\n')).toContain('│ Next: cd shop ')
  expect(box.at(-2)).toMatch(/^│ {7}npm run api +│$/)
})

test('--dry-run makes nothing, not even the folder', async () => {
  const { status, said, ran } = await npmCreate(['blog', '--dry-run'])
  expect([status, ran]).toEqual([0, []])
  expect(said).toContain('+++ b/src/app/main.ts\n')
  expect(said).not.toContain('Next:')
  expect(readdirSync(root)).toEqual([])
})

test('--help says the usage and the options, those of init too', async () => {
  const { status, said } = await npmCreate(['--help'])
  expect(status).toBe(0)
  expect(said).toMatch(/^npm create prismapi \[folder\] -- \[--provider=sqlite\|postgresql\]/)
  expect(said).toMatch(/^ {2}--dry-run +Shows what would change/m)
  expect(said).toMatch(/^ {2}--no-install +Writes the files/m)
  expect(said.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(readdirSync(root)).toEqual([])
})

test.each([
  [['one', 'two'], expect.stringContaining('Usage: npm create prismapi [folder]')],
  [['blog', '--povider=sqlite'], expect.stringContaining(`Unknown option '--povider'`)],
  [['blog', '--provider=mongodb'], 'error --provider is sqlite or postgresql, not "mongodb".'],
])('%j is refused, and nothing is made', async (args, said) => {
  expect(await npmCreate(args)).toMatchObject({ status: 1, said, ran: [] })
  expect(readdirSync(root)).toEqual([])
})

test('a file of that name is told', async () => {
  writeFileSync(join(root, 'blog'), 'own')
  expect(await npmCreate(['blog'])).toMatchObject(error('blog is a file. Name a folder.'))
  expect(readFileSync(join(root, 'blog'), 'utf8')).toBe('own')
})
