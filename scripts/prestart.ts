// Before the example starts: what would keep it from starting is told first, in one line; then the database is migrated.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { type Env, readEnv } from '../src/app/env.ts'
import { listen } from '../src/app/listen.ts'

const root = resolve(import.meta.dirname, '..')

async function main(): Promise<void> {
  const env = readEnv(process.env)
  await checkPort(env)
  checkFolder(env.databaseUrl)
  const applied = await migrate(env.databaseUrl)
  if (applied > 0) console.log(`Migrations applied to ${env.databaseUrl}: ${applied}.`)
}

async function checkPort(env: Env): Promise<void> {
  const probe = createServer()
  await listen(probe, env)
  await new Promise((done) => probe.close(done))
}

// Prisma would make the folder, and so hide a path that is mistyped.
function checkFolder(url: string): void {
  const [file = ''] = url.slice('file:'.length).split('?')
  const folder = dirname(resolve(root, file))
  if (!existsSync(folder)) throw new Error(`The folder of the database ${url} does not exist. Correct DATABASE_URL.`)
}

/** How many migrations were applied. */
function migrate(url: string): Promise<number> {
  const prisma = join(root, 'node_modules/prisma/build/index.js')
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' } }
  return new Promise((done, fail) => {
    execFile(process.execPath, [prisma, 'migrate', 'deploy'], options, (error, stdout, stderr) => {
      if (error) fail(new Error(`${url} cannot be migrated: ${complaintOf(stdout, stderr)}`))
      else done(stdout.match(/\bmigration\.sql\b/g)?.length ?? 0)
    })
  })
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
