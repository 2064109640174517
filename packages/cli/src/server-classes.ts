import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import { modelsByFile } from '@prismapi/jsonapi/schema/naming'
import type { AnySchema } from '@prismapi/jsonapi/schema/schema'
import { UsageError } from './command.ts'
import { loadFile } from './load-file.ts'
import { listServers } from './servers.ts'

/** What the classes of one server say of its types. */
export interface ServerClasses {
  /** The models that it serves; null for all. */
  readonly only: readonly string[] | null
  readonly limits: Partial<Limits>
  readonly schemas: ReadonlyMap<string, AnySchema>
  /** Where the schema class of a model lies. */
  fileOf(model: string): string | undefined
}

interface ServerFile {
  readonly models?: readonly string[]
  readonly limits?: Partial<Limits>
}

/** Reads `src/app/<server>/server.ts` and its schema classes, and those of the servers that the class extends. */
export async function readServer(root: string, server: string, { models }: Resources): Promise<ServerClasses> {
  const { models: only = null, limits = {} } = await loadInstance<ServerFile>(root, `src/app/${server}/server.ts`)
  const names = modelsByFile(Object.keys(models))
  const schemas = new Map<string, AnySchema>()
  const files = new Map<string, string>()
  for (const folder of await loadFolders(root, server)) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const [, stem] = /^(.+)\.schema\.(?:ts|js|mjs)$/.exec(name) ?? []
      if (stem === undefined) continue
      const file = `${folder}/${name}`
      const model = names.get(stem)
      if (!model) throw new UsageError(`${file}: no model is called ${stem} in the Prisma schema. Rename the file.`)
      if (schemas.has(model)) continue
      schemas.set(model, await loadInstance<AnySchema>(root, file))
      files.set(model, file)
    }
  }
  return { only, limits, schemas, fileOf: (model) => files.get(model) }
}

/** The folders of the schema classes that a server has: its own, then those of the servers that its class extends. */
export async function loadFolders(root: string, server: string): Promise<readonly string[]> {
  const classes = new Map<unknown, string>()
  // One after the other: a class that another one extends is loaded once then.
  for (const name of listServers(root)) classes.set(await serverClass(root, name), name)
  const own = [...classes].find(([, name]) => name === server)
  const folders = [`src/app/${server}`]
  for (let Class = parentOf(own?.[0]); classes.has(Class); Class = parentOf(Class))
    folders.push(`src/app/${classes.get(Class)}`)
  return folders
}

const parentOf = (Class: unknown): unknown => (typeof Class === 'function' ? Object.getPrototypeOf(Class) : null)

/** A symbol in place of a class that cannot be read: its start says why. */
async function serverClass(root: string, server: string): Promise<unknown> {
  try {
    return (await loadFile(root, `src/app/${server}/server.ts`)).default ?? Symbol(server)
  } catch {
    return Symbol(server)
  }
}

/** A value of the class that a file has as its default export. */
export async function loadInstance<T>(root: string, file: string): Promise<T> {
  const { default: Class } = await loadFile(root, file)
  if (typeof Class !== 'function') throw new UsageError(`${file} has no class as its default export.`)
  return new (Class as new () => T)()
}
