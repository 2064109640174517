import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AuthorizerClass } from '../auth/authorizer.ts'
import type { PolicyClass } from '../auth/policy.ts'
import type { Resources } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import { modelsByFile } from '../schema/naming.ts'
import type { SchemaClass } from '../schema/schema.ts'
import type { RequestClasses } from '../validation/request/request-classes.ts'
import { checkGenerated } from './check-generated.ts'
import type { ServerClass } from './server.ts'
import type { ServerParts } from './server-parts.ts'

/** Where an application keeps its files. */
export interface DiscoverOptions {
  /** The application's folder, as an absolute path; the others are relative to it. */
  readonly root: string
  /** What `prisma generate` wrote: the models that files are named for. */
  readonly resources: Resources
  /** The folder of `*.policy.ts`; by default `policies`. */
  readonly policies?: string
  /** The folder of `*.request.ts`, `*.query.ts` and `*.collection-query.ts`; by default `requests`. */
  readonly requests?: string
  /** The folder with one folder for each server: `server.ts`, `*.schema.ts`, `*.authorizer.ts`; by default `src/app`. */
  readonly servers?: string
}

/** What `discover` found: what `createApi` takes. */
export interface Discovered {
  /** Policy classes by model. */
  readonly policies: ReadonlyMap<string, PolicyClass>
  /** Server classes with the files that belong to them, by the names of their folders. */
  readonly servers: readonly ServerParts[]
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
 * @throws {Error} for a file that names no model, whose default export is no class of its kind, or that is the second of its kind for a model; where the
 * resources were generated from what the Prisma schema said before.
 *
 * @example
 * declare const resources: Resources // of prisma/generated/resources.ts
 *
 * const { policies, servers } = await discover({ root: import.meta.dirname, resources })
 */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { root, resources, policies = 'policies', requests = 'requests', servers = 'src/app' } = options
  checkGenerated(resources)
  const models = modelsByFile(Object.keys(resources.models))
  const shared = await findFiles(root, requests, models)
  const names = await serverFolders(path.join(root, servers))
  const foundPolicies = ofRole<PolicyClass>(await findFiles(root, policies, models), 'policy')
  const parts: ServerParts[] = []
  // One after the other: a class that another one extends is loaded once then, by test runners too.
  for (const name of names) {
    const own = await findFiles(root, path.join(servers, name), models)
    const overrides = await findFiles(root, path.join(requests, name), models)
    const file = path.join(servers, name, await fileOf(root, path.join(servers, name), 'server'))
    const server = (await load(root, file, 'server')) as ServerClass
    parts.push({
      root,
      server,
      schemas: ofRole<SchemaClass>(own, 'schema'),
      authorizers: ofRole<AuthorizerClass>(own, 'authorizer'),
      requests: requestClasses(shared, overrides),
      files: new Map<object, string>([
        [server, file],
        ...[...own, ...shared, ...overrides].map(({ value, file }) => [value as object, file] as const),
      ]),
    })
  }
  return { policies: foundPolicies, servers: parts.map((each) => inherited(each, parts)) }
}

/**
 * A server whose class extends that of another one has its schema classes and authorizers, where it has none of its own: a file that is
 * forgotten must not show a column that the earlier server hides.
 */
function inherited(own: ServerParts, all: readonly ServerParts[]): ServerParts {
  const parentOf = (Class: object) => all.find(({ server }) => server === Object.getPrototypeOf(Class))
  let { schemas, authorizers, files = new Map() } = own
  for (let parent = parentOf(own.server); parent; parent = parentOf(parent.server)) {
    schemas = new Map([...parent.schemas, ...schemas])
    authorizers = new Map([...parent.authorizers, ...authorizers])
    files = new Map([...(parent.files ?? []), ...files])
  }
  return { ...own, schemas, authorizers, files }
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

async function fileOf(root: string, folder: string, stem: string): Promise<string> {
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
