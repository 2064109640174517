import type { ParsedResource } from '../../document/parse-resource.ts'
import type { Linkage } from '../../document/types.ts'
import { isKeyAttribute, isKeyRelation, type ResourceSchema } from '../../schema/resource-schema.ts'
import type { Values } from '../request/request-facts.ts'

/** What the client may set of what it sent, on create or on update: read-only fields are ignored. */
export function sentValues(
  schema: ResourceSchema,
  { attributes, relationships }: ParsedResource,
  isCreating: boolean,
): Values {
  const values: Record<string, unknown> = {}
  for (const [name, value] of attributes) {
    const attribute = schema.attributes.get(name)
    if (attribute && !attribute.readOnly && !isFixed(schema, isKeyAttribute(schema, attribute), isCreating))
      values[name] = value
  }
  for (const [name, linkage] of relationships) {
    const relation = schema.relations.get(name)
    if (relation && !relation.readOnly && !(isKeyRelation(schema, relation) && !isCreating)) values[name] = linkage
  }
  return values
}

// A part of the id stays what it is; on create it is the id's where clients send that.
const isFixed = ({ id }: ResourceSchema, isKey: boolean, isCreating: boolean): boolean =>
  isKey && (!isCreating || id.clientGenerated)

/** The data of a create: what was sent, and an id or null. */
export const createData = (schema: ResourceSchema, id: string | null, sent: Values): Values =>
  flat({ type: schema.type, id }, sent)

/** The data of an update: what was sent over the current values. */
export const updateData = (existing: Values, sent: Values): Values => flat(existing, sent)

/** The data of a change of a relationship: its linkage alone. */
export const relationshipData = (schema: ResourceSchema, id: string, relation: string, linkage: Linkage): Values =>
  flat({ type: schema.type, id }, { [relation]: linkage })

/** The data of a deletion: the current values, and what `metaForDelete` returned. */
export const deleteData = (existing: Values, meta: Values): Values => flat(existing, { meta })

// Without a prototype, so that a rule that looks for `constructor` finds nothing but data.
const flat = (...parts: readonly Values[]): Values => Object.freeze(Object.assign(Object.create(null), ...parts))
