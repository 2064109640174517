import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve, sep } from 'node:path'
import { annotationProblems } from '../generator/check-annotations.ts'
import { toResources } from '../generator/from-dmmf.ts'
import { findProvider } from '../generator/provider.ts'
import type { Resources } from '../model/meta.ts'
import { UsageError } from './command.ts'
import { leftOut } from './left-out.ts'
import { parseSchema, type SchemaFile } from './prisma-parser.ts'

/** The application's Prisma schema: one file, or all of a folder. */
export interface PrismaSchema {
  /** The file or the folder, below the root. */
  readonly path: string
  readonly resources: Resources
  /** What `prisma generate` would refuse though Prisma itself does not: one line each. */
  readonly problems: readonly string[]
  /** What Prisma Client does not know of, and so is not served: one line each. */
  readonly leftOut: readonly string[]
  /** The file that a model is written in. */
  fileOf(model: string): string
}

/** Reads the schema where Prisma looks for it, or at the path that is named; nothing has to be generated before. */
export async function readPrismaSchema(root: string, named?: string): Promise<PrismaSchema> {
  const place = await findSchema(root, named)
  const shown = shownBelow(root, place)
  const isFolder = statSync(place).isDirectory()
  const paths = isFolder ? schemaFiles(place) : [place]
  if (paths.length === 0) throw new UsageError(`${shown} has no .prisma file.`)
  const files = paths.map((path) => [shownBelow(root, path), readFileSync(path, 'utf8')] as const)
  const { dmmf, datasources } = parseSchema(files)
  const provider = inUsage(() => findProvider({ schemaPath: shown, datasources }))
  const fileOf = (model: string) => fileOfModel(files, model) ?? shown
  return {
    path: shown,
    resources: toResources(dmmf, { provider, order: isFolder ? 'name' : 'schema' }),
    problems: annotationProblems(dmmf.datamodel).map(
      (problem) => `${fileOf(/^model (\w+)/.exec(problem)?.[1] ?? '')}: ${problem}`,
    ),
    leftOut: files.flatMap(([, text]) => leftOut(text)),
    fileOf,
  }
}

/** What `prisma generate` knows of the application's Prisma schema. */
export async function readResources(root: string): Promise<Resources> {
  const { resources, problems } = await readPrismaSchema(root)
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return resources
}

async function findSchema(root: string, named: string | undefined): Promise<string> {
  if (named !== undefined) {
    if (isThere(resolve(root, named))) return resolve(root, named)
    throw new UsageError(`--schema=${named}: there is no such file or folder.`)
  }
  const configured = await configuredSchema(root)
  const found = [configured ?? [], join(root, 'schema.prisma'), join(root, 'prisma/schema.prisma')].flat().find(isThere)
  if (found !== undefined && (configured === null || found === configured)) return found
  throw new UsageError(
    configured === null
      ? 'There is no Prisma schema: neither schema.prisma nor prisma/schema.prisma. Name it in prisma.config.ts.'
      : `There is no ${shownBelow(root, configured)}, which prisma.config.ts names as the schema. Correct it.`,
  )
}

interface PrismaConfig {
  readonly resolvedPath: string | null
  readonly config?: { readonly schema?: string }
  readonly error?: { readonly _tag: string; readonly error?: Error }
}

/** The path in the application's `prisma.config.ts`, read as the command line of Prisma does. */
async function configuredSchema(root: string): Promise<string | null> {
  const prisma = createRequire(createRequire(import.meta.url).resolve('prisma/package.json'))
  const { loadConfigFromFile } = prisma('@prisma/config') as {
    loadConfigFromFile(input: { configRoot: string }): Promise<PrismaConfig>
  }
  const { config, error } = await loadConfigFromFile({ configRoot: root })
  if (error) throw new UsageError(`prisma.config.ts cannot be read: ${error.error?.message ?? error._tag}`)
  return config?.schema ?? null
}

const schemaFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => join(folder, name))

const fileOfModel = (files: readonly SchemaFile[], model: string): string | undefined =>
  files.find(([, text]) => new RegExp(`^\\s*(?:model|view)\\s+${model}\\s*\\{`, 'm').test(text))?.[0]

const shownBelow = (root: string, path: string): string => relative(root, path).split(sep).join('/')

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

function inUsage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}
