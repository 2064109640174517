import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { UsageError } from './command.ts'
import { annotationProblems } from './generator/check-annotations.ts'
import { findProvider } from './generator/client-import.ts'
import { toResources } from './generator/from-dmmf.ts'
import { leftOut } from './left-out.ts'
import { findPrismaConfig, readPrismaConfig } from './prisma/config.ts'
import { type ParsedSchema, parseSchema, type SchemaFile } from './prisma/parser.ts'

/** The application's Prisma schema: one file, or all of a folder. */
export interface PrismaSchema {
  /** The file or the folder, below the root. */
  readonly path: string
  readonly resources: Resources
  /** What `prisma generate` would refuse though Prisma itself does not: one line each. */
  readonly problems: readonly string[]
  /** What Prisma Client does not know of, and so is not served: one line each. */
  readonly leftOut: readonly string[]
  /** With absolute paths as outputs, and that of the file that each stands in. */
  readonly generators: ParsedSchema['generators']
  readonly files: readonly SchemaFile[]
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
  const { datamodel, datasources, generators } = parseSchema(files)
  const schema = files.map(([, text]) => text).join('\n')
  const provider = inUsage(() => findProvider({ schemaPath: shown, datasources }))
  const fileOf = (model: string) => fileOfModel(files, model) ?? shown
  return {
    path: shown,
    resources: toResources(datamodel, { provider, schema, order: isFolder ? 'name' : 'schema' }),
    problems: annotationProblems(datamodel).map(
      (problem) => `${fileOf(/^model (\w+)/.exec(problem)?.[1] ?? '')}: ${problem}`,
    ),
    leftOut: leftOut(schema),
    generators: generators.map((generator) => withPaths(root, generator)),
    files,
    fileOf,
  }
}

function withPaths(root: string, generator: ParsedSchema['generators'][number]): ParsedSchema['generators'][number] {
  const file = resolve(root, generator.sourceFilePath)
  const { output } = generator
  const value = output?.value ? resolve(dirname(file), output.value) : null
  // Prisma's CLI adds that; its parser says nothing of it.
  const isCustomOutput = output !== null
  return { ...generator, sourceFilePath: file, isCustomOutput, output: output && { ...output, value } }
}

/** What `prisma generate` knows of the application's Prisma schema. */
export async function readResources(root: string): Promise<Resources> {
  const { resources, problems } = await readPrismaSchema(root)
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return resources
}

/** The URL of the application's database: of the environment, or of Prisma's configuration. */
export const readDatabaseUrl = async (root: string): Promise<string | null> =>
  process.env.DATABASE_URL || (await readPrismaConfig(root)).url || null

async function findSchema(root: string, named: string | undefined): Promise<string> {
  if (named !== undefined) {
    if (existsSync(resolve(root, named))) return resolve(root, named)
    throw new UsageError(`--schema=${named}: there is no such file or folder.`)
  }
  const { file, schema } = await readPrismaConfig(root)
  if (schema !== undefined) {
    if (existsSync(schema)) return schema
    throw new UsageError(`There is no ${shownBelow(root, schema)}, which ${file} names as the schema. Correct it.`)
  }
  const found = usualPlaces(root).find((place) => existsSync(place))
  if (found !== undefined) return found
  throw new UsageError(
    `There is no Prisma schema: neither schema.prisma nor prisma/schema.prisma. Name it in ${file ?? 'prisma.config.ts'}.`,
  )
}

const usualPlaces = (root: string) => [join(root, 'schema.prisma'), join(root, 'prisma/schema.prisma')]

/** Whether Prisma finds a schema there, or a configuration that may name one. */
export const isPrismaProject = (root: string): boolean =>
  usualPlaces(root).some((place) => existsSync(place)) || findPrismaConfig(root) !== null

const schemaFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => join(folder, name))

const fileOfModel = (files: readonly SchemaFile[], model: string): string | undefined =>
  files.find(([, text]) => new RegExp(`^\\s*(?:model|view)\\s+${model}\\s*\\{`, 'm').test(text))?.[0]

const shownBelow = (root: string, path: string): string => relative(root, path).split(sep).join('/')

function inUsage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}
