import { dirname, join, relative, sep } from 'node:path'
import { policyFile } from '@prismapi/core/auth/policy'
import { UsageError } from '../command.ts'
import { policyTemplate } from '../generate/policy-template.ts'
import { serverTemplate } from '../generate/server-template.ts'
import { clientImport } from '../generator/client-import.ts'
import { parseSchema } from '../prisma/parser.ts'
import { type PrismaSchema, readPrismaSchema } from '../prisma-schema.ts'
import { inferredTypes } from '../project.ts'
import { listServers } from '../servers.ts'
import { mainTemplate, openingOf } from './main-template.ts'
import { type Manifest, readManifest, textOfManifest, withNeeds } from './package-json.ts'
import { type PlannedFile, planChange, planCreate, textOf } from './plan.ts'
import type { Refusals } from './refusals.ts'
import { withGenerator, withIdempotency } from './schema-blocks.ts'

type Generator = PrismaSchema['generators'][number]

const ourProvider = 'prisma-generator-resources'

const startScripts = { api: 'tsx src/app/main.ts', 'api:dev': 'prismapi dev' }

interface ExistingOptions {
  readonly idempotency: boolean
}

/**
 * The files that a project with a Prisma schema lacks: the generator, a server, policies, a process, and its scripts.
 */
export async function planProject(
  root: string,
  refusals: Refusals,
  { idempotency }: ExistingOptions,
): Promise<readonly PlannedFile[]> {
  const manifest = refusals.try(() => moduleManifest(root))
  const schema = await readPrismaSchema(root).catch((error) => refusals.note(error))
  for (const problem of schema?.problems ?? []) refusals.note(new UsageError(problem))
  const opening = schema && refusals.try(() => openingFor(schema))
  const client = schema && refusals.try(() => clientOf(schema))
  // Which files are missing follows from these.
  if (!schema || !opening || !client) return []
  const ours = schema.generators.find(({ provider }) => provider.value?.includes(ourProvider))
  const folder = ours?.output?.value ?? folderBeside(client)
  const main = {
    opening,
    client: sourceImport(root, clientImport({ schemaPath: schema.path, otherGenerators: [client] }, appFolder(root))),
    resources: sourceImport(root, relativePath(appFolder(root), join(folder, 'resources.ts'))),
  }
  const types = [...inferredTypes(schema.resources).byType.values()]
  return [
    ...(manifest === null ? [] : [() => planManifest(root, manifest, opening.packages)]),
    () =>
      planSchema(root, schema, {
        file: client.sourceFilePath,
        folder: ours ? null : folder,
        idempotency: idempotency && !schema.resources.models.IdempotencyKey,
      }),
    ...(listServers(root).length > 0
      ? []
      : [() => planCreate(root, 'src/app/v1/server.ts', serverTemplate('v1', inferredTypes(schema.resources)))]),
    () => planCreate(root, 'src/app/main.ts', mainTemplate(main)),
    ...types.map((type) => () => planCreate(root, policyFile(type.model.name), policyTemplate([type]))),
  ].flatMap((plan) => refusals.try(plan) ?? [])
}

function openingFor({ path, resources: { provider } }: PrismaSchema) {
  const opening = openingOf(provider)
  if (!opening) throw new UsageError(`${path}: init knows SQLite, PostgreSQL and MySQL, not ${provider}.`)
  return opening
}

function moduleManifest(root: string): Manifest {
  const manifest = readManifest(root)
  if (manifest === null) throw new UsageError('There is no package.json. Run npm init -y.')
  if (manifest.type !== 'module')
    throw new UsageError('package.json: prismapi is made of ES modules. Run npm pkg set type=module.')
  return manifest
}

function planManifest(root: string, manifest: Manifest, packages: readonly string[]): PlannedFile {
  // They start what is written beside them.
  const isStarted = textOf(root, 'src/app/main.ts') === null
  const changed = withNeeds(manifest, {
    scripts: { ...(isStarted && startScripts), ...clientScript(root) },
    dependencies: ['@prisma/client', 'koa', 'prismapi', ...packages],
    devDependencies: ['@prismapi/cli', '@prismapi/testing', '@types/koa', 'prisma', 'tsx'],
    allowScripts: [],
  })
  const isTaken = isStarted && changed.scripts?.api !== startScripts.api
  return {
    ...planChange(root, 'package.json', textOfManifest(root, changed)),
    remark: isTaken ? `has a script "api" of its own: npx ${startScripts.api} starts the API.` : null,
  }
}

/** Writes the typed client of the first server, which may be the one that is written now. */
const clientScript = (root: string) => ({
  'api:client': `prismapi client --server=${listServers(root)[0] ?? 'v1'} --out=api.ts`,
})

function folderBeside({ output, sourceFilePath }: Generator): string {
  // npm throws away what others write to its folder.
  const folder = output?.value?.split(sep).includes('node_modules') ? null : output?.value
  return folder ? join(folder, '../prismapi') : join(dirname(sourceFilePath), 'generated')
}

interface SchemaParts {
  /** The file that is added to. */
  readonly file: string
  /** Where the generator writes to; null where the schema has it already. */
  readonly folder: string | null
  readonly idempotency: boolean
}

function planSchema(root: string, schema: PrismaSchema, { file, folder, idempotency }: SchemaParts): PlannedFile {
  const path = relative(root, file).split(sep).join('/')
  const text = textOf(root, path) as string
  const taken = schema.generators.map(({ name }) => name)
  const generated = folder === null ? text : withGenerator(text, { taken, output: relativePath(dirname(file), folder) })
  const finished = idempotency ? withIdempotency(generated, schema.resources.provider) : generated
  // What Prisma would refuse is not written: it says why.
  parseSchema(schema.files.map(([name, before]) => [name, name === path ? finished : before]))
  return planChange(root, path, finished)
}

function clientOf({ path, generators }: PrismaSchema): Generator {
  const client = generators.find(({ provider }) => /^prisma-client(-js)?$/.test(provider.value ?? ''))
  if (client) return client
  throw new UsageError(`${path}: no Prisma Client is generated. Add a generator with the provider "prisma-client".`)
}

const appFolder = (root: string): string => join(root, 'src/app')

function relativePath(folder: string, file: string): string {
  const path = relative(folder, file).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

/**
 * An import of `.ts` or `.mts` needs a setting of TypeScript; an import of the `.js` or `.mjs` beside it works
 * anywhere.
 */
function sourceImport(root: string, specifier: string): string {
  const config = textOf(root, 'tsconfig.json') ?? ''
  return /"(allowImportingTsExtensions|rewriteRelativeImportExtensions)": *true/.test(config)
    ? specifier
    : specifier.replace(/\.([cm]?)ts$/, '.$1js')
}
