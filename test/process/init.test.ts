import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LinkedProject, linkProject } from '../support/linked-project.ts'

let project: LinkedProject

const schema = `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

datasource db {
  provider = "sqlite"
}

model User {
  id     Int     @id @default(autoincrement())
  name   String
  orders Order[]
}

model Order {
  id      Int  @id @default(autoincrement())
  amount  Int
  owner   User @relation(fields: [ownerId], references: [id])
  ownerId Int
}
`
const config = `import { defineConfig } from 'prisma/config'

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: 'file:./prisma/dev.db' },
})
`
// As `tsc --init` would write it: no import may end with .ts.
const compilerOptions = {
  ...{ target: 'es2023', module: 'nodenext', types: ['node'], strict: true, noEmit: true, skipLibCheck: true },
  ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
}

beforeAll(() => {
  project = linkProject({ DATABASE_URL: 'file:./prisma/dev.db' })
  project.write('package.json', '{ "name": "shop", "type": "module", "devDependencies": { "prisma": "7.10.0" } }')
  project.write('prisma.config.ts', config)
  project.write('prisma/schema.prisma', schema)
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src', 'policies'] }))
})
afterAll(() => project.remove())

test('a project that has a Prisma schema gets an API that denies everything, until its policies are filled in', async () => {
  expect(await project.prismapi('init', '--idempotency')).toContain('created src/app/main.ts')
  expect(await project.refusal()).toBe(
    'src/app/main.ts imports src/generated/prisma/client.js, which is not there. Run "npx prisma generate", or correct the import.\n',
  )
  await project.prisma('generate')
  expect(await project.refusal({ DATABASE_URL: '' })).toBe(
    'DATABASE_URL must be set, or be in .env: file:./prisma/dev.db\n',
  )
  expect(await project.refusal({ PORT: 'abc' })).toBe('PORT must be a number from 0 to 65535, not "abc".\n')
  project.write('prisma/dev.db', '')
  expect(await project.ask('/ready')).toEqual({
    status: 503,
    document: { status: 'unavailable', failed: ['migrations'] },
  })
  await project.prisma('migrate', 'dev', '--name', 'init')
  expect(await project.tsc()).toBe('')
  expect(await project.ask('/api/v1/orders')).toMatchObject({
    status: 403,
    document: { errors: [{ status: '403', title: 'Forbidden' }] },
  })

  const { url, said, stop } = await project.serve()
  await fetch(`${url}/api/v1/orders`)
  await stop()
  expect(
    said()
      .split('\n')
      .filter((line) => line.includes('refused')),
  ).toEqual([
    expect.stringMatching(
      /^Request refused \{ .*method: 'GET', path: '\/api\/v1\/orders', status: 403, errors: \[ 'Forbidden' \] \}$/,
    ),
  ])

  const policy = path.join(project.folder, 'policies/order.policy.ts')
  const text = readFileSync(policy, 'utf8')
  project.write('policies/order.policy.ts', text.replace("// 'viewAny', 'view',", "'viewAny', 'view',"))
  expect(await project.tsc()).toBe('')
  expect(await project.ask('/api/v1/orders')).toMatchObject({ status: 200, document: { data: [] } })

  const { scripts } = JSON.parse(readFileSync(path.join(project.folder, 'package.json'), 'utf8'))
  const [command, ...args] = scripts['api:client'].split(' ')
  expect([command, await project.prismapi(...args)]).toEqual(['prismapi', 'written api.ts\n'])
  expect(readFileSync(path.join(project.folder, 'api.ts'), 'utf8')).toContain("'/api/v1/orders'")

  expect(await project.prismapi('init', '--idempotency')).toBe('Nothing to do: everything is there already.\n')
})
