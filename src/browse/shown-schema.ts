import { targetModels } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Browsed } from './browsed.ts'

/** The type of the rows that a collection lists; null where they are of several types, or the reader may not know it. */
export function shownSchema({ caller, operation }: Pick<Browsed, 'caller' | 'operation'>): ResourceSchema | null {
  const [model, ...others] = operation ? modelsOf(operation) : []
  return (model !== undefined && others.length === 0 && caller?.told.schemas.byModel.get(model)) || null
}

const modelsOf = (operation: NonNullable<Browsed['operation']>): readonly string[] =>
  operation.kind === 'viewRelated' ? targetModels(operation.relation) : [operation.schema.model.name]
