import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { applicationFiles, planApplication } from '@prismapi/cli/init/new-application'
import { parseYaml } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateIn, push } from '../../support/any-schema/generate.ts'
import { type AppProcess, startApp } from '../../support/app-process.ts'
import { writeBelow } from '../../support/clone.ts'
import { follow, sender } from '../../support/cookbook/exchange.ts'
import { readRecipe } from '../../support/cookbook/page.ts'
import { freePort } from '../../support/npm-start.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const page = readRecipe('deploying', 'postgresql')
const file = (name: string): string => page.files.find(({ says }) => says.write === name)?.code ?? ''

interface Service {
  readonly build?: string | { readonly target: string }
  readonly environment: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, object>>
  readonly healthcheck?: { readonly test: string | readonly string[] }
}

const { services } = parseYaml(file('compose.yaml')) as { services: Readonly<Record<string, Service>> }
const { environment = {}, healthcheck } = services.api ?? {}

let folder: string
let app: AppProcess
let port: number

beforeAll(async () => {
  // Inside the package, or `prismapi` would not be found; a dot keeps tsc and vitest away from it.
  folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  const bin = path.join(root, 'packages/cli/src/generator/bin.ts')
  const files = applicationFiles('sqlite')
  const schema = (files.get('prisma/schema.prisma') ?? '').replace(
    '"prisma-generator-resources"',
    `"node --conditions=prismapi/source --import tsx ${bin}"`,
  )
  const { schemaFile } = await generateIn(path.join(folder, 'prisma'), schema)
  for (const name of ['package.json', 'node_modules']) rmSync(path.join(folder, 'prisma', name))
  for (const [name, text] of files) if (name !== 'prisma/schema.prisma') writeBelow(folder, name, text)
  const DATABASE_URL = `file:${path.join(folder, 'prisma/production.db')}`
  await push(schemaFile, DATABASE_URL)
  port = await freePort()
  const own = { DATABASE_URL, HOST: '127.0.0.1', PORT: String(port), AUTH_SECRET: 'x'.repeat(32) }
  app = startApp({ ...environment, NODE_ENV: 'production', ...own }, 'src/app/main.ts', folder)
  await app.firstLine
})
afterAll(async () => {
  app?.stop('SIGKILL')
  await app?.exit
  rmSync(folder, { recursive: true, force: true })
})

test('the image does what a new application can do', () => {
  const dockerfile = file('Dockerfile')
  const planned = planApplication(path.join(folder, 'nowhere'), 'postgresql')
  const text = (name: string) => planned.find((each) => each.path === name)?.after ?? ''
  const { scripts } = JSON.parse(text('package.json'))
  const [, command = ''] = /^CMD (.*)$/m.exec(dockerfile) ?? []
  expect(JSON.parse(command).join(' ')).toBe(scripts.start)
  const run = [...dockerfile.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
  expect(run).toEqual(['build'])
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(run))
  // The lock file is npm's.
  const copied = /^COPY (.*) \.\/$/m.exec(dockerfile)?.[1]?.split(' ') ?? []
  expect(copied.filter((name) => name !== 'package-lock.json' && text(name) === '')).toEqual([])
})

test('services wait for services, and are built of stages that there are', () => {
  const stages = [...file('Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, name]) => name)
  const built = Object.values(services).flatMap(({ build }) => (typeof build === 'object' ? build.target : []))
  expect(built).toEqual(stages)
  const awaited = Object.values(services).flatMap(({ depends_on = {} }) => Object.keys(depends_on))
  expect(Object.keys(services)).toEqual(expect.arrayContaining(awaited))
})

test('the environment is what the application reads', () => {
  const example = applicationFiles('postgresql').get('.env.example') ?? ''
  const known = [...example.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(Object.keys(environment)).toEqual(['HOST', 'PORT', 'BASE_URL', 'AUTH_SECRET', 'DATABASE_URL'])
  expect(known).toEqual(expect.arrayContaining(Object.keys(environment)))
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await follow(page.exchanges, sender({ url: (at) => `http://127.0.0.1:${port}${at}` }))
  expect(seen).toEqual(shown)
})

test('the health of the container is that of the process', () => {
  const [kind, command = '', ...args] = healthcheck?.test ?? []
  expect(kind).toBe('CMD')
  const here = args.map((each) => each.replace('127.0.0.1:3000', `127.0.0.1:${port}`))
  execFileSync(command, here)
  const nowhere = args.map((each) => each.replace('/live', '/dead'))
  expect(() => execFileSync(command, nowhere, { stdio: 'ignore' })).toThrow()
})

test('the process ends with code 0 when it is told to', async () => {
  app.stop('SIGTERM')
  expect((await app.exit).code).toBe(0)
})
