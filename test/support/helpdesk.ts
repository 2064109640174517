import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger, Resources } from 'prismapi'
import type { Clients, Services } from 'prismapi/types'
import { databases } from './any-schema/databases.ts'
import { generateIn } from './any-schema/generate.ts'

const root = path.resolve(import.meta.dirname, '../..')
const fixture = path.join(root, 'test/fixtures/helpdesk')

// biome-ignore lint/suspicious/noExplicitAny: a client that is generated while the test runs
export type HelpdeskClient = any

interface AppParts {
  readonly clients: Clients
  readonly services: Services
  readonly baseUrl: string
  readonly logger: Logger
}

/** The help desk of docs/many-organizations.md, in a folder of its own with what Prisma generates for it. */
export interface Helpdesk {
  readonly folder: string
  readonly resources: Resources
  readonly db: HelpdeskClient
  /** What went wrong inside of it. */
  readonly failures: readonly unknown[]
  /** What it mailed. */
  readonly mails: readonly { readonly to: string; readonly text: string }[]
  createApp(): Promise<object>
  hashOf(secret: string): string
  /** What tsc says of it. */
  compile(): string
  close(): Promise<void>
}

export async function openHelpdesk(): Promise<Helpdesk> {
  // Inside the package, or `prismapi` would not be found; a dot keeps tsc and vitest away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  cpSync(fixture, folder, { recursive: true })
  const schema = readFileSync(path.join(fixture, 'prisma/schema.prisma'), 'utf8')
  const [provider = ''] = /provider = .*packages\/cli\/src\/generator\/bin\.ts.*/.exec(readExampleSchema()) ?? []
  const here = provider.replace(
    'packages/cli/src/generator/bin.ts',
    path.join(root, 'packages/cli/src/generator/bin.ts'),
  )
  const own = schema.replace('provider = "prisma-generator-resources"', here)
  const generated = await generateIn(path.join(folder, 'prisma'), own)
  // With these, `prismapi` would not be this package.
  for (const name of ['package.json', 'node_modules']) rmSync(path.join(folder, 'prisma', name))
  const { clients, close } = await databases.sqlite(generated)
  const { createApp } = (await import(path.join(folder, 'src/app/app.ts'))) as {
    createApp(parts: AppParts): Promise<object>
  }
  const { createHash } = await import('node:crypto')
  const failures: unknown[] = []
  const mails: { to: string; text: string }[] = []
  const logger = { debug() {}, info() {}, warn() {}, error: (fields: object) => void failures.push(fields) }
  const services = { mail: async (to: string, text: string) => void mails.push({ to, text }) }
  return {
    folder,
    resources: generated.resources,
    db: (clients as { readonly writer: unknown }).writer,
    failures,
    mails,
    createApp: () => createApp({ clients, services, baseUrl: 'https://help.example.org', logger }),
    hashOf: (secret) => createHash('sha256').update(secret).digest('hex'),
    compile: () => tsc(folder),
    async close() {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}

const readExampleSchema = () => readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8')

/** The files that somebody writes for the application. */
export function helpdeskFiles(): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(fixture, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(path.join(fixture, file), 'utf8') }))
}

function tsc(folder: string): string {
  const include = ['src', 'policies', 'requests', 'prisma/generated/resources.ts']
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include, exclude: [] }),
  )
  try {
    return execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
      cwd: root,
      encoding: 'utf8',
    })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
