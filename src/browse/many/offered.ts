import { allowsSome } from '../../auth/allows-some.ts'
import { atomicExtension } from '../../document/profiles.ts'
import type { ResourceObject } from '../../document/types.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { PageRequest } from '../data/page-request.ts'
import { shownSchema } from '../data/shown-schema.ts'
import type { FormField } from '../forms/form-field.ts'
import { fieldsOf } from '../forms/form-fields.ts'

/** What can be done with many rows of a collection at once, by one atomic request. */
export interface Many {
  readonly schema: ResourceSchema
  readonly rows: readonly ResourceObject[]
  /** Those of which all rows can get one value. */
  readonly fields: readonly FormField[]
  readonly mayDelete: boolean
}

/** Null where the server takes no atomic requests, or its reader may do nothing with any row. */
export async function manyOf({ server, caller, operation, document }: PageRequest): Promise<Many | null> {
  if (!caller || !operation || !server.supportedExtensions.ext.includes(atomicExtension)) return null
  const { api, ctx } = caller
  const isList = operation.kind === 'viewAny' || operation.kind === 'viewRelated'
  const schema = isList ? shownSchema({ caller, operation }) : null
  const { data } = document
  if (!schema || !Array.isArray(data) || data.length === 0) return null
  const may = async (kind: 'update' | 'delete') =>
    schema.operations.has(kind) && (await allowsSome(ctx, { kind, schema, id: '' }))
  const fields = (await may('update')) ? fieldsOf(api, { schema, kind: 'update' }, null) : []
  const many: Many = {
    schema,
    rows: data as readonly ResourceObject[],
    fields: fields.filter((field) => !field.isSecret && !isUnique(schema, field.name)),
    mayDelete: await may('delete'),
  }
  return many.fields.length > 0 || many.mayDelete ? many : null
}

/** No two rows have the same value. */
function isUnique({ model, attributes }: ResourceSchema, name: string): boolean {
  const column = attributes.get(name)?.column?.name
  return model.uniques.some((unique) => unique.length === 1 && unique[0] === column)
}
