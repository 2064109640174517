import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll } from 'vitest'

export const root = resolve(import.meta.dirname, '../..')

export type Project = Awaited<ReturnType<typeof makeProject>>

const folders: string[] = []
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A project with one model, this repository's configuration and its schema engine; gone after the file's last test. */
export async function makeProject(provider: 'sqlite' | 'postgresql') {
  const folder = mkdtempSync(join(tmpdir(), 'prismapi migrations '))
  folders.push(folder)
  const home = provider === 'sqlite' ? 'prisma' : `prisma/${provider}`
  mkdirSync(join(folder, home), { recursive: true })
  for (const name of ['prisma.config.ts', 'scripts', 'packages/cli/assets'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const run = (env: Record<string, string>, ...args: string[]) => prismaCli(folder, env, args)
  const project = {
    folder,
    id: `prismapi_${folder.slice(-6).toLowerCase()}`,
    run,
    prisma: (url: string | undefined, ...args: string[]) =>
      run(url === undefined ? {} : { DATABASE_URL: url }, ...args),
    migrations: () => readdirSync(join(folder, home, 'migrations')).filter((name) => !name.endsWith('.toml')),
    writeMigration(name: string, sql: string) {
      mkdirSync(join(folder, home, 'migrations', name), { recursive: true })
      writeFileSync(join(folder, home, 'migrations', name, 'migration.sql'), sql)
    },
    writeSchema(field = '', more = '') {
      const model = `model Note {\n  id Int @id @default(autoincrement())\n  text String\n  ${field}\n}\n${more}`
      writeFileSync(join(folder, home, 'schema.prisma'), `datasource db {\n  provider = "${provider}"\n}\n${model}`)
    },
  }
  project.writeSchema()
  return project
}

function prismaCli(cwd: string, env: Record<string, string>, args: string[]) {
  const cli = join(root, 'node_modules/prisma/build/index.js')
  const { PATH = '', HOME = '' } = process.env
  // Nothing of the caller's environment: an engine or a database that is set there would be the one that is tested.
  const options = { cwd, env: { PATH, HOME, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', ...env } }
  return new Promise<{ code: number; text: string }>((done) => {
    const child = execFile(process.execPath, [cli, ...args], options, (_error, stdout, stderr) => {
      done({ code: child.exitCode ?? -1, text: stdout + stderr })
    })
    child.stdin?.end()
  })
}
