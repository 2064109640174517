// Before the example starts: what would keep it from starting is told first, in one line; then the database is migrated.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { checkBuild } from '@prismapi/sql/databases/check-build'
import { listen } from 'prismapi/node'
import { providerOf, shownUrl } from '../src/app/database-url.ts'
import { type Env, readEnv } from '../src/app/env.ts'
import { prismaCli } from './database/prisma-cli.ts'

const root = resolve(import.meta.dirname, '..')

async function main(): Promise<void> {
  const env = readEnv(process.env)
  await checkPort(env)
  checkFolder(env.databaseUrl)
  if (providerOf(env.databaseUrl) === 'sqlite') checkBuild()
  await generate(env.databaseUrl)
  const applied = await migrate(env.databaseUrl)
  if (applied > 0) console.log(`Migrations applied to ${shownUrl(env.databaseUrl)}: ${applied}.`)
}

async function checkPort(env: Env): Promise<void> {
  const probe = createServer()
  await listen(probe, env)
  await new Promise((done) => probe.close(done))
}

// Prisma would make the folder, and so hide a path that is mistyped.
function checkFolder(url: string): void {
  if (providerOf(url) !== 'sqlite') return
  const [file = ''] = url.slice('file:'.length).split('?')
  const folder = dirname(resolve(root, file))
  if (!existsSync(folder)) throw new Error(`The folder of the database ${url} does not exist. Correct DATABASE_URL.`)
}

/** The Prisma client is generated for one kind of database: where it is for another, it is generated anew. */
async function generate(url: string): Promise<void> {
  const provider = providerOf(url)
  if (generatedFor() === provider) return
  const { failed, stdout, stderr } = await prismaCli('generate')
  if (failed) throw new Error(`prisma generate failed: ${complaintOf(stdout, stderr)}`)
  console.log(`prisma/generated is for ${provider} now.`)
}

function generatedFor(): string | undefined {
  const file = join(root, 'prisma/generated/resources.ts')
  return existsSync(file) ? /^ {2}provider: '(\w+)'/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined
}

/** How many migrations were applied. */
async function migrate(url: string): Promise<number> {
  const { failed, stdout, stderr } = await prismaCli('migrate', 'deploy')
  if (failed) throw new Error(`${shownUrl(url)} cannot be migrated: ${complaintOf(stdout, stderr)}`)
  return stdout.match(/\bmigration\.sql\b/g)?.length ?? 0
}

// Before it Prisma says what it always says, where its configuration and its schema are; behind it, where in the engine.
function complaintOf(stdout: string, stderr: string): string {
  const [, complaint] = /^Error: (?:[A-Z0-9_]+\n+)?(.+)/ms.exec(stderr) ?? []
  const [text = ''] = (complaint ?? `${stdout}${stderr}`).split(/^\s+0: /m)
  return text.trim()
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
