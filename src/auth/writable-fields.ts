import { judge } from '../condition/memory.ts'
import type { Row } from '../model/where.ts'
import { isKeyAttribute, isKeyRelation, type ResourceSchema } from '../schema/resource-schema.ts'
import type { FieldAction } from './actions.ts'
import type { AuthContext } from './auth-context.ts'
import { mayLinkSome } from './may-link.ts'
import { fieldsFor } from './viewable.ts'

/**
 * The fields that the rules let the caller write; null where that is all of them. What only the database could say of a row is left out, and
 * so are relations whose links are kept in rows that the caller certainly may not change.
 * Null for the row stands for a new one.
 */
export function writableFields(
  ctx: Pick<AuthContext, 'server' | 'served' | 'abilityOf'>,
  schema: ResourceSchema,
  row: Row | null,
): readonly string[] | null {
  const action: FieldAction = row ? 'update' : 'create'
  const access = fieldsFor(ctx, schema.model.name, action)
  const { provider } = ctx.server.resources
  const isWritten = (name: string): boolean => {
    const condition = access?.fields.get(name)
    return !condition || (row !== null && judge(condition, { row, provider }) === true)
  }
  const attributes = [...schema.attributes.values()].filter(
    (attribute) => !attribute.readOnly && (!row || !isKeyAttribute(schema, attribute)),
  )
  const relations = [...schema.relations.values()].filter(
    (relation) => !relation.readOnly && (!row || !isKeyRelation(schema, relation)),
  )
  const all = [...attributes, ...relations].map(({ name }) => name)
  const unlinked = new Set(relations.filter((relation) => !mayLinkSome(ctx, relation)).map(({ name }) => name))
  const written = all.filter((name) => isWritten(name) && !unlinked.has(name))
  return written.length === all.length ? null : written
}
