import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { defaultLimits } from '@prismapi/jsonapi/request/limits'
import { dashed } from '@prismapi/jsonapi/schema/naming'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import type { AnySchema } from '@prismapi/jsonapi/schema/schema'
import { UsageError } from './command.ts'
import { loadFolders, loadInstance } from './server-classes.ts'

/** Every type as it is inferred, without the application's schema classes. */
export function inferredTypes(resources: Resources): SchemaRegistry {
  return compile(resources, new Map()).registry
}

/** The type of a model as it is inferred, without the application's schema classes. */
export const inferredType = (resources: Resources, model: string): ResourceSchema => typeOf(resources, model, null)

/** An application, and what its Prisma schema says. */
interface Application {
  readonly root: string
  readonly resources: Resources
}

/** The type of a model on each of the servers, whose schema classes are read; as inferred where there is no server. */
export async function readServed(
  { root, resources }: Application,
  model: string,
  servers: readonly string[],
): Promise<readonly [ResourceSchema, ...ResourceSchema[]]> {
  const inferred = typeOf(resources, model, null)
  const types: ResourceSchema[] = []
  for (const server of servers) {
    const files = (await loadFolders(root, server)).map((folder) => `${folder}/${dashed(model)}.schema.ts`)
    const file = files.find((each) => existsSync(join(root, each)))
    types.push(
      file ? typeOf(resources, model, { file, declared: await loadInstance<AnySchema>(root, file) }) : inferred,
    )
  }
  const [first = inferred, ...others] = types
  return [first, ...others]
}

interface Declared {
  readonly file: string
  readonly declared: AnySchema
}

function typeOf(resources: Resources, model: string, schema: Declared | null): ResourceSchema {
  const { registry, notes } = compile(resources, new Map(schema && [[model, schema.declared]]), schema?.file)
  const type = registry.byModel.get(model)
  if (type) return type
  const skipped = notes.skipped.find((each) => each.model === model && each.field === null)
  throw new UsageError(`${model} is not served: ${skipped?.reason}`)
}

function compile(resources: Resources, schemas: ReadonlyMap<string, AnySchema>, file?: string) {
  try {
    return compileRegistry({ resources, schemas, only: null, maxPageSize: defaultLimits.maxPageSize })
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(file ? `${file}: ${message}` : message, { cause: error })
  }
}
