import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Resources } from '../model/meta.ts'
import type { Limits } from '../request/limits.ts'
import { modelsByFile } from '../schema/naming.ts'
import type { AnySchema } from '../schema/schema.ts'
import { UsageError } from './command.ts'
import { loadFile } from './load-file.ts'

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

/** Reads `src/app/<server>/server.ts` and the schema classes beside it. */
export async function readServer(root: string, server: string, { models }: Resources): Promise<ServerClasses> {
  const folder = `src/app/${server}`
  const { models: only = null, limits = {} } = await instanceOf<ServerFile>(root, `${folder}/server.ts`)
  const names = modelsByFile(Object.keys(models))
  const schemas = new Map<string, AnySchema>()
  const files = new Map<string, string>()
  for (const name of readdirSync(join(root, folder)).sort()) {
    const [, stem] = /^(.+)\.schema\.(?:ts|js|mjs)$/.exec(name) ?? []
    if (stem === undefined) continue
    const file = `${folder}/${name}`
    const model = names.get(stem)
    if (!model) throw new UsageError(`${file}: no model is called ${stem} in the Prisma schema. Rename the file.`)
    schemas.set(model, await instanceOf<AnySchema>(root, file))
    files.set(model, file)
  }
  return { only, limits, schemas, fileOf: (model) => files.get(model) }
}

/** A value of the class that a file has as its default export. */
export async function instanceOf<T>(root: string, file: string): Promise<T> {
  const { default: Class } = await loadFile(root, file)
  if (typeof Class !== 'function') throw new UsageError(`${file} has no class as its default export.`)
  return new (Class as new () => T)()
}
