import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Resources } from '../model/meta.ts'
import { defaultLimits } from '../request/limits.ts'
import { dashed } from '../schema/naming.ts'
import { compileRegistry } from '../schema/registry.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import type { AnySchema } from '../schema/schema.ts'
import { UsageError } from './command.ts'
import { loadFile } from './load-file.ts'

const resourcesFile = 'prisma/generated/resources.ts'

/** What `prisma generate` knows of the application's Prisma schema. */
async function readResources(root: string): Promise<Resources> {
  if (!existsSync(join(root, resourcesFile)))
    throw new UsageError(`There is no ${resourcesFile} yet. Run npx prisma generate.`)
  const { resources } = await loadFile(root, resourcesFile)
  return resources as Resources
}

/** Every type as it is inferred, without the application's schema classes. */
export async function readTypes(root: string): Promise<SchemaRegistry> {
  return compile(await readResources(root), new Map()).registry
}

/** The type of a model as it is inferred, without the application's schema classes. */
export async function readInferred(root: string, model: string): Promise<ResourceSchema> {
  return typeOf(await readResources(root), model, null)
}

/** The type of a model on each of the servers, whose schema classes are read; as inferred where there is no server. */
export async function readServed(
  root: string,
  model: string,
  servers: readonly string[],
): Promise<readonly [ResourceSchema, ...ResourceSchema[]]> {
  const resources = await readResources(root)
  const inferred = typeOf(resources, model, null)
  const types: ResourceSchema[] = []
  for (const server of servers) {
    const file = `src/app/${server}/${dashed(model)}.schema.ts`
    const declared = existsSync(join(root, file)) ? await readSchema(root, file) : null
    types.push(declared ? typeOf(resources, model, { file, declared }) : inferred)
  }
  const [first = inferred, ...others] = types
  return [first, ...others]
}

interface Declared {
  readonly file: string
  readonly declared: AnySchema
}

function typeOf(resources: Resources, model: string, schema: Declared | null): ResourceSchema {
  if (!resources.models[model])
    throw new UsageError(`${model} is in the Prisma schema, but not in ${resourcesFile} yet. Run npx prisma generate.`)
  const { registry, notes } = compile(resources, new Map(schema && [[model, schema.declared]]), schema?.file)
  const type = registry.byModel.get(model)
  if (type) return type
  const skipped = notes.skipped.find((each) => each.model === model)
  throw new UsageError(`${model} is not served: ${skipped?.reason}`)
}

async function readSchema(root: string, file: string): Promise<AnySchema> {
  const { default: Class } = await loadFile(root, file)
  if (typeof Class !== 'function') throw new UsageError(`${file} has no class as its default export.`)
  return new (Class as new () => AnySchema)()
}

function compile(resources: Resources, schemas: ReadonlyMap<string, AnySchema>, file?: string) {
  try {
    return compileRegistry({ resources, schemas, only: null, maxPageSize: defaultLimits.maxPageSize })
  } catch (error) {
    throw new UsageError(`${file ?? resourcesFile}: ${(error as Error).message}`, { cause: error })
  }
}
