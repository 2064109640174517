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
  await project.prisma('generate')
  await project.prisma('migrate', 'dev', '--name', 'init')
  expect(await project.tsc()).toBe('')
  expect(await project.ask('/api/v1/orders')).toMatchObject({
    status: 403,
    document: { errors: [{ status: '403', title: 'Forbidden' }] },
  })

  const policy = path.join(project.folder, 'policies/order.policy.ts')
  const text = readFileSync(policy, 'utf8')
  project.write('policies/order.policy.ts', text.replace("// 'viewAny', 'view',", "'viewAny', 'view',"))
  expect(await project.tsc()).toBe('')
  expect(await project.ask('/api/v1/orders')).toMatchObject({ status: 200, document: { data: [] } })

  expect(await project.prismapi('init', '--idempotency')).toBe('Nothing to do: everything is there already.\n')
})
