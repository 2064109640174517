import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import { modelsByFile } from '@prismapi/jsonapi/schema/naming'
import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import type { AuthorizerClass } from '../auth/authorizer.ts'
import type { Ceiling } from '../auth/caller.ts'
import type { PolicyClass } from '../auth/policy.ts'
import type { RequestClasses } from '../validation/request/resource-query.ts'
import type { Commands } from './command.ts'
import { schemaDigest } from './schema-digest.ts'
import type { ServerClass } from './server.ts'
import type { ServerFeature } from './server-feature.ts'
import type { ServerParts } from './server-parts.ts'

/** Where an application keeps its files. */
export interface DiscoverOptions {
  /** The application's folder, as an absolute path; the others are relative to it. */
  readonly root: string
  /** What `prisma generate` wrote: the models that files are named for. */
  readonly resources: Resources
  /** The folder of `*.policy.ts`, with a folder for each server that replaces some of them; by default `policies`. */
  readonly policies?: string
  /** The folder of `*.request.ts`, `*.query.ts` and `*.collection-query.ts`; by default `requests`. */
  readonly requests?: string
  /** The folder of `features.ts`, with a folder of classes for each server; by default `src/app`. */
  readonly servers?: string
}

/** What `discover` found: what `createApi` takes. */
export interface Discovered {
  /** Policy classes by model, of all servers that do not replace them. */
  readonly policies: ReadonlyMap<string, PolicyClass>
  /** Server classes with the files that belong to them, by the names of their folders. */
  readonly servers: readonly ServerParts[]
  /** The features of `src/app/features.ts`. */
  readonly features: readonly ToolFeature[]
}

/** A file of the application that belongs to a model. */
interface Found {
  readonly model: string
  readonly role: string
  readonly file: string
  readonly value: unknown
}

/**
 * Finds the files that an application adds, by their names: `policies/blog-post.policy.ts` is the policy of `BlogPost`.
 * Runs once, at boot; the only place that walks the disk.
 *
 * @throws {Error} for a file that names no model, whose default export is no class of its kind, or that is the second
 * of its kind for a model; where the resources were generated from what the Prisma schema said before; for policies in
 * a folder that no server has; in vitest, where Node would load each file a second time, past vitest.
 *
 * @example
 * declare const resources: Resources // of prisma/generated/resources.ts
 *
 * const { policies, servers } = await discover({ root: import.meta.dirname, resources })
 */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { root, resources, policies = 'policies', requests = 'requests', servers = 'src/app' } = options
  checkRunner()
  checkGenerated(resources)
  const models = modelsByFile(Object.keys(resources.models))
  const shared = await findFiles(root, requests, models)
  const names = await serverFolders(path.join(root, servers))
  const foundPolicies = ofRole<PolicyClass>(await findFiles(root, policies, models), 'policy')
  await checkPolicyFolders(root, policies, names)
  const parts: ServerParts[] = []
  // One after the other: a class that another one extends is loaded once then, by test runners too.
  for (const name of names) {
    const own = await findFiles(root, path.join(servers, name), models)
    const overrides = await findFiles(root, path.join(requests, name), models)
    const ownPolicies = await findFiles(root, path.join(policies, name), models)
    const file = path.join(servers, name, await findFile(root, path.join(servers, name), 'server'))
    const server = (await load(root, file, 'server')) as ServerClass
    parts.push({
      root,
      server,
      schemas: ofRole<SchemaClass>(own, 'schema'),
      authorizers: ofRole<AuthorizerClass>(own, 'authorizer'),
      policies: ofRole<PolicyClass>(ownPolicies, 'policy'),
      requests: requestClasses(shared, overrides),
      files: new Map<object, string>([
        [server, file],
        ...[...own, ...shared, ...overrides, ...ownPolicies].map(({ value, file }) => [value as object, file] as const),
      ]),
    })
  }
  return {
    policies: foundPolicies,
    servers: parts.map((each) => inheritClasses(each, parts)),
    features: await discoverFeatures(root, servers),
  }
}

/** @throws {Error} where a test would have other instances of modules than the servers: they would share no state. */
function checkRunner(): void {
  const isInVitest = '__vitest_worker__' in globalThis
  // Of modules that vitest loads.
  const isOfVitest = Reflect.get(import.meta, 'env') !== undefined
  if (isInVitest && !isOfVitest)
    throw new Error(
      'discover: vitest loads what tests import, and Node would load the same files of the application again. Write test: { server: { deps: { inline: [/node_modules\\/@?prismapi\\//] } } } in vitest.config.ts.',
    )
}

/** @throws {Error} for policies that nobody would ask: they lie in a folder for a server that is not there. */
async function checkPolicyFolders(root: string, folder: string, servers: readonly string[]): Promise<void> {
  for (const entry of await entries(path.join(root, folder))) {
    if (!entry.isDirectory() || servers.includes(entry.name)) continue
    const names = (await entries(path.join(root, folder, entry.name))).map(({ name }) => name).sort()
    const lost = names.find((name) => isCode(name) && roles.exec(name)?.[2] === 'policy')
    if (lost === undefined) continue
    const meant = nearest(entry.name, servers)
    const known = servers.length === 0 ? 'There is none.' : `There are: ${servers.join(', ')}.`
    throw new Error(
      `${path.join(folder, entry.name, lost)}: no server is called ${entry.name}. Rename the folder${meant ? ` (to ${meant}?)` : ''}, or move the file to ${folder}, where it is for all servers. ${known}`,
    )
  }
}

/**
 * A server whose class extends that of another one has its schema classes, authorizers and policies, where it has none
 * of its own: a file that is forgotten must not show a column that the earlier server hides.
 */
function inheritClasses(own: ServerParts, all: readonly ServerParts[]): ServerParts {
  const parentOf = (Class: object) => all.find(({ server }) => server === Object.getPrototypeOf(Class))
  let { schemas, authorizers, policies = new Map(), files = new Map() } = own
  for (let parent = parentOf(own.server); parent; parent = parentOf(parent.server)) {
    schemas = new Map([...parent.schemas, ...schemas])
    authorizers = new Map([...parent.authorizers, ...authorizers])
    policies = new Map([...(parent.policies ?? []), ...policies])
    files = new Map([...(parent.files ?? []), ...files])
  }
  return { ...own, schemas, authorizers, policies, files }
}

const roles = /^(.+)\.(policy|request|query|collection-query|schema|authorizer)\.(?:ts|js|mjs)$/
const isCode = (name: string): boolean => /\.(ts|js|mjs)$/.test(name) && !/\.(d\.ts|test\.[a-z]+)$/.test(name)

async function findFiles(root: string, folder: string, models: ReadonlyMap<string, string>): Promise<readonly Found[]> {
  const names = (await entries(path.join(root, folder)))
    .filter((entry) => entry.isFile() && isCode(entry.name))
    .map(({ name }) => name)
  const found: Found[] = []
  for (const name of names.sort()) {
    const [, stem, role] = roles.exec(name) ?? []
    if (!stem || !role) continue
    const file = path.join(folder, name)
    const model = models.get(stem)
    if (!model)
      throw new Error(
        `${file}: no model is called ${stem} in the Prisma schema. Rename the file${hint(stem, models)} or add the model.`,
      )
    const twin = found.find((other) => other.model === model && other.role === role)
    if (twin) throw new Error(`${file}: ${twin.file} is the ${role} of ${model} already. Remove one of the two.`)
    found.push({ model, role, file, value: await load(root, file, role) })
  }
  return found
}

const hint = (stem: string, models: ReadonlyMap<string, string>): string => {
  const name = nearest(stem, [...models.keys()])
  return name ? ` (to ${name}?)` : ''
}

async function load(root: string, file: string, role: string): Promise<unknown> {
  const { default: Class } = (await import(pathToFileURL(path.join(root, file)).href)) as { default?: unknown }
  if (typeof Class !== 'function')
    throw new Error(`${file}: it has no class as its default export. Write "export default class …".`)
  const base = bases.get(role)
  if (base && typeof Class.prototype?.[base.member] !== 'function')
    throw new Error(
      `${file}: its default export is no ${base.name}. Write "export default class … extends ${base.name}".`,
    )
  return Class
}

interface Base {
  readonly name: string
  /** A method that it has, and classes of other roles have not. */
  readonly member: string
}

// An authorizer need not extend any class.
const bases: ReadonlyMap<string, Base> = new Map([
  ['server', { name: 'Server', member: 'serving' }],
  ['policy', { name: 'Policy', member: 'abilities' }],
  ['schema', { name: 'Schema', member: 'fields' }],
  ['request', { name: 'ResourceRequest', member: 'deleteRules' }],
  ['query', { name: 'ResourceQuery', member: 'isNotRelationship' }],
  ['collection-query', { name: 'ResourceCollectionQuery', member: 'isNotRelationship' }],
])

const ofRole = <T>(found: readonly Found[], role: string): ReadonlyMap<string, T> =>
  new Map(found.filter((each) => each.role === role).map(({ model, value }) => [model, value as T]))

function requestClasses(shared: readonly Found[], own: readonly Found[]): ReadonlyMap<string, RequestClasses> {
  const models = new Set([...shared, ...own].map(({ model }) => model))
  const pick = (model: string, role: string) =>
    [...own, ...shared].find((each) => each.model === model && each.role === role)?.value ?? null
  return new Map(
    [...models].map((model) => [
      model,
      {
        request: pick(model, 'request'),
        query: pick(model, 'query'),
        collectionQuery: pick(model, 'collection-query'),
      } as RequestClasses,
    ]),
  )
}

async function serverFolders(folder: string): Promise<readonly string[]> {
  const folders = (await entries(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const withServer = await Promise.all(
    folders.map(async (name) =>
      (await entries(path.join(folder, name))).some((entry) => /^server\.(ts|js|mjs)$/.test(entry.name)) ? [name] : [],
    ),
  )
  return withServer.flat().sort()
}

async function findFile(root: string, folder: string, stem: string): Promise<string> {
  const names = (await entries(path.join(root, folder))).map(({ name }) => name)
  return names.find((name) => isCode(name) && name.replace(/\.[a-z]+$/, '') === stem) ?? `${stem}.ts`
}

async function entries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** As much of a feature as tools need that answer no requests. */
export interface ToolFeature {
  /** What it makes of the class of each server, where it makes anything of it. */
  readonly compiled?: ServerFeature
  /** Its commands of the command line, by their names. */
  readonly commands?: Commands
  /** What it may limit callers to, for assertions about them. */
  readonly ceilings?: readonly Ceiling[]
}

/** The file of the features of an application, relative to its root; null where there is none. */
export const featuresFile = (root: string, folder = 'src/app'): string | null =>
  ['ts', 'mts', 'js', 'mjs']
    .map((ending) => path.posix.join(folder, `features.${ending}`))
    .find((file) => existsSync(path.join(root, file))) ?? null

/**
 * The features that an application has of its own: the default export of its `src/app/features.ts`.
 *
 * @throws {Error} for a file that has no list as its default export.
 */
export async function discoverFeatures(root: string, folder?: string): Promise<readonly ToolFeature[]> {
  const file = featuresFile(root, folder)
  if (file === null) return []
  const { default: features } = await import(pathToFileURL(path.join(root, file)).href)
  if (Array.isArray(features) && features.every((each) => typeof each === 'object' && each !== null)) return features
  throw new Error(`${file}: it has no list of features as its default export. Write "export default [feature]".`)
}

/**
 * Looks whether the Prisma schema says what it said when the resources were generated. Beside a built application there
 * is no schema, and nothing to compare.
 *
 * @throws {Error} where it does not: what it hides since then would be served.
 */
function checkGenerated({ origin }: Resources): void {
  if (origin === undefined) return
  const file = fileURLToPath(origin.file)
  const schema = path.resolve(path.dirname(file), origin.schema)
  const digest = schemaDigest(schema)
  if (digest === null || digest === origin.digest) return
  const [generated, source] = [file, schema].map((each) => path.relative('', each))
  throw new Error(`${generated} was not generated from what ${source} says now. Run "npx prisma generate".`)
}
