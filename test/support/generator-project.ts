import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export interface Outcome {
  readonly code: number
  readonly output: string
}

/** An application in a folder of its own: this package, and a Prisma schema that `prisma generate` has read. */
export interface Project {
  readonly folder: string
  run(...args: readonly string[]): Promise<Outcome>
  write(path: string, content: string): Promise<void>
  read(path: string): Promise<string>
  remove(): Promise<void>
}

const user = `declare module 'prismapi' {
  interface Register {
    user: { id: number }
  }
}

export {}
`

/** The example with its servers but without policies and requests, or a fixture without anything. */
export async function makeProject(schema: 'example' | (string & {})): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'prismapi-files-'))
  const project = projectIn(folder)
  for (const name of ['package.json', 'src']) await cp(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'packages']) await symlink(join(root, name), join(folder, name))
  const filter = (path: string) => !/\.db(-\w+)?$/.test(path)
  if (schema === 'example') {
    // Its features name what agents may not do.
    for (const name of ['prisma', 'policies/agents'])
      await cp(join(root, name), join(folder, name), { recursive: true, filter })
  } else {
    await rm(join(folder, 'src/app'), { recursive: true })
    await project.write('src/app/user.ts', user)
    await project.write('prisma/schema.prisma', await readFile(join(root, 'test/fixtures', schema), 'utf8'))
    const { code, output } = await project.run(join(root, 'node_modules/prisma/build/index.js'), 'generate')
    if (code !== 0) throw new Error(output)
  }
  return project
}

function projectIn(folder: string): Project {
  return {
    folder,
    // `generate` never starts the schema engine, yet Prisma wants its binary to exist.
    run: (...args) => run(folder, args, { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }),
    async write(path, content) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), content)
    },
    read: (path) => readFile(join(folder, path), 'utf8'),
    remove: () => rm(folder, { recursive: true }),
  }
}

function run(cwd: string, args: readonly string[], more: Readonly<Record<string, string>>): Promise<Outcome> {
  const env = { ...process.env, NO_COLOR: '1', ...more }
  return new Promise((done) => {
    execFile(process.execPath, [...args], { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr })
    })
  })
}
