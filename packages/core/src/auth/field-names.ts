import { nearest } from '@prismapi/jsonapi/model/nearest'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { isFieldAction } from './actions.ts'

/** What a rule may call an attribute: by its name in documents, or by its column's. */
export const namesOfAttribute = ({ name, column }: Attribute): readonly string[] =>
  column ? [name, column.name] : [name]

/** What a rule may call a relation. */
export const namesOfRelation = (relation: Relation): readonly string[] => {
  if (relation.kind !== 'morphTo') return [relation.name, relation.field]
  const { form, name } = relation
  return form.kind === 'keys' ? [name, ...form.branches.map(({ field }) => field)] : [name]
}

/**
 * What a rule may be about.
 *
 * @throws {Error} for an action that is about whole rows, and for a name that is no field of the type.
 */
export function checkFields(schema: ResourceSchema, actions: readonly string[], fields: readonly string[]): void {
  const whole = actions.find((action) => !isFieldAction(action))
  if (whole !== undefined)
    throw new Error(
      `the rule for ${whole} names fields, but ${whole} has none. Rules for view, create and update may name some.`,
    )
  if (fields.length === 0)
    throw new Error(`the rule for ${actions.join(', ')} names no field. Leave the empty list out.`)
  const { model, attributes, relations, id } = schema
  const known = [
    ...Object.keys(model.columns),
    ...Object.keys(model.relations),
    ...attributes.keys(),
    ...relations.keys(),
  ]
  for (const name of fields) {
    if (name === 'id' || id.columns.includes(name))
      throw new Error(`a rule names ${name}, but the id of a row is always seen. Leave it out.`)
    if (known.includes(name)) continue
    const meant = nearest(name, known)
    throw new Error(
      `the model ${model.name} has no field "${name}". ${meant ? `Did you mean "${meant}"?` : 'Name a column, a relation, or a field of its schema class.'}`,
    )
  }
}
