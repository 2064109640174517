import type { ModelMeta, Resources } from '../model/meta.ts'
import { compileSchema } from './compile.ts'
import type { SchemaNotes } from './compile-fields.ts'
import { inFile } from './in-file.ts'
import { inferTypes, isPlainName } from './naming.ts'
import type { ResourceSchema, SchemaRegistry } from './resource-schema.ts'
import type { AnySchema } from './schema.ts'

export interface RegistryOptions {
  readonly resources: Resources
  /** The application's schemas by model. */
  readonly schemas: ReadonlyMap<string, AnySchema>
  /** The models that are served; null for all. */
  readonly only: readonly string[] | null
  readonly maxPageSize: number
  /** Where the schema class of a model lies, as far as that is known. */
  readonly fileOf?: (model: string) => string | undefined
}

/** What a Prisma schema became, for the boot log and `doctor`. */
export interface RegistryNotes extends SchemaNotes {
  readonly skipped: { readonly model: string; readonly reason: string }[]
}

/** Compiles every type of a server. */
export function compileRegistry(options: RegistryOptions): { registry: SchemaRegistry; notes: RegistryNotes } {
  const { resources, schemas, only, fileOf = () => undefined } = options
  const notes: RegistryNotes = { hidden: [], renamed: [], warnings: [], skipped: [] }
  const served = Object.values(resources.models).filter((model) => isServed(model, only, notes))
  const names = new Set(served.map((model) => model.name))
  const types = typesOf(served, schemas)
  const byType = new Map<string, ResourceSchema>()
  const byModel = new Map<string, ResourceSchema>()
  for (const model of served) {
    const type = types.get(model.name) as string
    const twin = byType.get(type)?.model.name
    inFile(fileOf(model.name) ?? (twin && fileOf(twin)), () => checkType(type, model.name, twin))
    const isServed = (name: string) => names.has(name)
    const schema = inFile(fileOf(model.name), () =>
      compileSchema(model, schemas.get(model.name) ?? null, { ...options, type, isServed, notes }),
    )
    byType.set(type, schema)
    byModel.set(model.name, schema)
  }
  return { registry: Object.freeze({ byType, byModel }), notes }
}

function checkType(type: string, model: string, twin: string | undefined): void {
  if (!isPlainName(type))
    throw new Error(`${model}: "${type}" cannot be a type, which is a part of URLs. Use letters, digits, - and _.`)
  if (twin !== undefined)
    throw new Error(`Two models are served as ${type}: ${twin} and ${model}. Give one of their schemas another type.`)
}

function isServed(model: ModelMeta, only: readonly string[] | null, notes: RegistryNotes): boolean {
  if (only && !only.includes(model.name)) return false
  if (model.key.length > 0) return true
  notes.skipped.push({
    model: model.name,
    reason: 'it has no id and no unique without nullable fields, so its rows cannot be named. Add @id or @unique.',
  })
  return false
}

function typesOf(models: readonly ModelMeta[], schemas: ReadonlyMap<string, AnySchema>): ReadonlyMap<string, string> {
  const inferred = inferTypes(models.map((model) => model.name))
  return new Map(models.map(({ name }) => [name, schemas.get(name)?.type ?? (inferred.get(name) as string)]))
}
