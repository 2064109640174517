import type { ModelOperation } from '../model/meta.ts'
import { blocksOf, isUnfillable } from './blocks.ts'

/**
 * What Prisma Client can do with each model of a schema: views are read, and a model whose rows need what it cannot fill is not
 * created. Prisma says the same of views and of unsupported types, in a description that is a hundred times as large as the schema.
 */
export function modelOperations(schema: string): ReadonlyMap<string, readonly ModelOperation[]> {
  return new Map(
    blocksOf(schema).map(({ kind, name, fields }) => {
      if (kind === 'view') return [name, ['read']]
      return [name, fields.some(isUnfillable) ? ['read', 'update', 'delete'] : ['read', 'create', 'update', 'delete']]
    }),
  )
}
