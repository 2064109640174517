import type { ColumnMeta, ModelMeta, Resources } from '../model/meta.ts'
import { compileSchema } from './compile.ts'
import { formerType, inferType, inferTypes, isPlainName } from './naming.ts'
import { newNotes, type SchemaNotes } from './notes.ts'
import type { ResourceSchema, SchemaRegistry } from './resource-schema.ts'
import type { AnySchema } from './schema.ts'
import { isCodeOfTable, isSecret } from './secrets.ts'

/**
 * What the types of a server are compiled of.
 *
 * @internal
 */
export interface RegistryOptions {
  readonly resources: Resources
  /** The application's schemas by model. */
  readonly schemas: ReadonlyMap<string, AnySchema>
  /** The models that are served; null for all. */
  readonly only: readonly string[] | null
  readonly maxPageSize: number
  /** What types say whose schema says nothing of it. */
  readonly showsCan?: boolean
  /** True: no type has an operation that writes. */
  readonly readOnly?: boolean
  /** Names that are no types, because something else lies at their URLs. */
  readonly reserved?: readonly string[]
  /** Where the schema class of a model lies, as far as that is known. */
  readonly fileOf?: (model: string) => string | undefined
}

/** Compiles every type of a server. */
export function compileRegistry(options: RegistryOptions): { registry: SchemaRegistry; notes: SchemaNotes } {
  const { resources, schemas, only, reserved = [], fileOf = () => undefined } = options
  const notes = newNotes()
  const served = Object.values(resources.models).filter((model) => {
    if (model.isHidden) return leaveOut(model, options)
    if (only && !only.includes(model.name)) return false
    const reason = whyUnserved(model, schemas.get(model.name))
    if (reason !== null) notes.skipped.push({ model: model.name, field: null, reason })
    return reason === null
  })
  const names = new Set(served.map((model) => model.name))
  const types = typesOf(served, schemas, { reserved, notes })
  const deprecationOf = (name: string) => schemas.get(name)?.deprecated ?? null
  const byType = new Map<string, ResourceSchema>()
  const byModel = new Map<string, ResourceSchema>()
  for (const model of served) {
    const type = types.get(model.name) as string
    const twin = byType.get(type)?.model.name
    inFile(fileOf(model.name) ?? (twin && fileOf(twin)), () => checkType(type, model.name, { twin, reserved }))
    const isServed = (name: string) => names.has(name)
    const schema = inFile(fileOf(model.name), () =>
      compileSchema(model, schemas.get(model.name) ?? null, { ...options, type, isServed, notes, deprecationOf }),
    )
    byType.set(type, schema)
    byModel.set(model.name, schema)
  }
  return { registry: Object.freeze({ byType, byModel }), notes }
}

/** @throws {Error} where a server wants to serve it all the same. */
function leaveOut({ name }: ModelMeta, { schemas, only, fileOf = () => undefined }: RegistryOptions): false {
  const cure = `${name} is annotated with @hidden, so that no server serves it. Remove the annotation, or`
  inFile(fileOf(name), () => {
    if (schemas.has(name)) throw new Error(`${cure} its schema class.`)
  })
  if (only?.includes(name)) throw new Error(`models: ${cure} its name there.`)
  return false
}

interface Taken {
  readonly twin: string | undefined
  readonly reserved: readonly string[]
}

function checkType(type: string, model: string, { twin, reserved }: Taken): void {
  if (reserved.includes(type))
    throw new Error(
      `${model}: no type can be called ${type}, which is a URL of the server's own. Give its schema another type.`,
    )
  if (!isPlainName(type))
    throw new Error(`${model}: "${type}" cannot be a type, which is a part of URLs. Use letters, digits, - and _.`)
  if (twin !== undefined)
    throw new Error(`Two models are served as ${type}: ${twin} and ${model}. Give one of their schemas another type.`)
}

/** Why a model is no type; null when it is one. */
function whyUnserved(model: ModelMeta, schema: AnySchema | undefined): string | null {
  if (model.key.length === 0)
    return 'it has no id and no unique without nullable fields, so its rows cannot be named. Add @id or @unique.'
  const isShown = (name: string) =>
    schema?.fields().some((field) => field.kind === 'attribute' && field.field === name && field.isHidden === false)
  if (isCodeOfTable(model.key, Object.keys(model.columns))) return null
  const secret = model.key.find((name) => isSecret(model.name, model.columns[name] as ColumnMeta) && !isShown(name))
  if (secret === undefined) return null
  return `its id would tell ${secret}, whose name says that it holds a secret. Give it another id, or say attribute('${secret}').visible() in its schema class.`
}

function typesOf(
  models: readonly ModelMeta[],
  schemas: ReadonlyMap<string, AnySchema>,
  { reserved, notes }: { readonly reserved: readonly string[]; readonly notes: SchemaNotes },
): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  const names = models.map(({ name }) => name)
  for (const [model, inferred] of inferTypes(names, reserved)) {
    const declared = schemas.get(model)?.type
    types.set(model, declared ?? inferred)
    const wanted = inferType(model)
    const former = formerType(model)
    if (declared === undefined && former !== wanted)
      notes.renamed.push({
        model,
        field: null,
        name: inferred,
        reason: `it was ${former} up to version 0.1. Say type = '${former}' in its schema class to keep that.`,
      })
    if (declared !== undefined || inferred === wanted) continue
    const owner = reserved.includes(wanted) ? "a URL of the server's own" : 'the type of another model'
    notes.renamed.push({ model, field: null, name: inferred, reason: `${wanted} is ${owner}.` })
  }
  return types
}

/** Runs what looks at one file of the application: whatever it throws begins with the file, where that is known. */
export function inFile<T>(file: string | undefined, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (file === undefined) throw error
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
