import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve, sep } from 'node:path'
import { UsageError } from '../command.ts'
import { hookImports } from '../hook-imports.ts'
import { importFile, isUnread, messageOf } from '../load-file.ts'
import { prismaManifest } from './parser.ts'

/** What an application's `prisma.config.ts` says, wherever it lies. */
export interface PrismaConfig {
  /** Below the root; null where there is none. */
  readonly file: string | null
  /** An absolute path. */
  readonly schema?: string | undefined
  readonly url?: string | undefined
}

const extensions = ['.js', '.ts', '.mjs', '.cjs', '.mts', '.cts']
const names = ['prisma.config', '.config/prisma', '.config/prisma.config']
const places = [
  ...['prisma7.config', '.config/prisma7'].flatMap((name) => extensions.map((extension) => name + extension)),
  ...names.flatMap((name) => [
    ...extensions.map((extension) => name + extension),
    ...extensions.map((extension) => `${name}/index${extension}`),
  ]),
]

/** Where the command line of Prisma finds its configuration. */
export const findPrismaConfig = (root: string): string | null =>
  places
    .map((place) => resolve(root, place))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true) ?? null

/** @throws {UsageError} for a file that cannot be read. */
export async function readPrismaConfig(root: string): Promise<PrismaConfig> {
  const path = findPrismaConfig(root)
  if (path === null) return { file: null }
  const file = relative(root, path).split(sep).join('/')
  try {
    return { file, ...(await imported(root, path)) }
  } catch (error) {
    const said = await readByPrisma(root)
    if (!('failure' in said)) return { file, ...said }
    const failure = isUnread(error) ? said.failure : messageOf(error)
    throw new UsageError(`${file} cannot be read: ${failure}`, { cause: error })
  }
}

type Said = Omit<PrismaConfig, 'file'>

/** Imports it: Prisma's own reader loads 600 files before, of which none is needed. */
async function imported(root: string, path: string): Promise<Said> {
  await standIn()
  const { default: exported } = await importFile(root, path)
  const { schema, datasource } = ((typeof exported === 'function' ? await exported({}) : exported) ?? {}) as Written
  return { schema: schema ? resolve(dirname(path), schema) : undefined, url: datasource?.url }
}

interface Written {
  readonly schema?: string
  readonly datasource?: { readonly url?: string }
}

// All exports of `prisma/config`, for a checkout without packages as well. A missing variable is reported when it is
// used: most commands need no database.
const config = `
export const defineConfig = (config) => config
export const env = (name) => process.env[name] || undefined`
const hooks = `
const config = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(config)}`)}
export const resolve = (specifier, context, next) =>
  specifier === 'prisma/config' ? { url: config, format: 'module', shortCircuit: true } : next(specifier, context)`

let standsIn: Promise<void> | null = null
function standIn(): Promise<void> {
  standsIn ??= hookImports(hooks)
  return standsIn
}

/** What there is of Prisma's own package that reads its configuration. */
interface ConfigReader {
  loadConfigFromFile(input: { readonly configRoot: string }): Promise<{
    readonly config?: Written
    readonly error?: { readonly _tag: string; readonly error?: Error }
  }>
}

/** Prisma brings what reads every kind of TypeScript, also where neither this Node nor the application does. */
async function readByPrisma(root: string): Promise<Said | { readonly failure: string }> {
  const manifest = prismaManifest()
  if (manifest === null) return { failure: 'neither prisma nor tsx is installed.' }
  const reader: ConfigReader = createRequire(manifest)('@prisma/config')
  const { config, error } = await reader.loadConfigFromFile({ configRoot: root })
  if (error) return { failure: error.error?.message ?? error._tag }
  return { schema: config?.schema, url: config?.datasource?.url }
}
