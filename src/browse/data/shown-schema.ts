import { targetModels } from '../../schema/relation-kinds.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { PageRequest } from './page-request.ts'

/** The type of the rows that a collection lists; null where they are of several types, or the reader may not know it. */
export function shownSchema({ caller, operation }: Pick<PageRequest, 'caller' | 'operation'>): ResourceSchema | null {
  const [model, ...others] = operation ? modelsOf(operation) : []
  return (model !== undefined && others.length === 0 && caller?.api.schemas.byModel.get(model)) || null
}

const modelsOf = (operation: NonNullable<PageRequest['operation']>): readonly string[] =>
  operation.kind === 'viewRelated' ? targetModels(operation.relation) : [operation.schema.model.name]
