import type { Identifier, Linkage, Relationship, ResourceObject } from '../document/types.ts'
import type { FieldSets } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import type { Relation } from '../schema/resource-schema.ts'
import type { Resource } from '../store/resource.ts'
import { relatedUrl, relationshipUrl, resourceUrl } from './links.ts'

const identifier = ({ schema, id }: Resource): Identifier => ({ type: schema.type, id })

/** A resource as documents show it: what is visible, asked for and loaded. */
export function resourceObject(ctx: RequestContext, resource: Resource, fields: FieldSets): ResourceObject {
  const { schema, id } = resource
  const self = resourceUrl(ctx, resource)
  const asked = fields.get(schema.type) ?? null
  const attributes = attributesOf(ctx, resource, asked)
  const relationships = relationshipsOf(resource, asked, self)
  return {
    type: schema.type,
    id,
    ...(attributes && { attributes }),
    ...(relationships && { relationships }),
    ...(schema.selfLink && { links: { self } }),
  }
}

type Asked = ReadonlySet<string> | null

function attributesOf(ctx: RequestContext, { schema, row }: Resource, asked: Asked): Record<string, unknown> | null {
  const shown: [string, unknown][] = []
  const isConcealed = !ctx.served.trash.has(schema.model.name)
  for (const attribute of schema.attributes.values()) {
    if (isConcealed && attribute.name === schema.trashMark) continue
    if (!attribute.writeOnly && (!asked || asked.has(attribute.name)))
      shown.push([attribute.name, attribute.serialize(row)])
  }
  return shown.length > 0 ? Object.fromEntries(shown) : null
}

function relationshipsOf(resource: Resource, asked: Asked, self: string): Record<string, Relationship> | null {
  const shown: [string, Relationship][] = []
  for (const relation of resource.schema.relations.values()) {
    if (asked && !asked.has(relation.name)) continue
    const relationship = relationshipOf(resource, relation, self)
    if (Object.keys(relationship).length > 0) shown.push([relation.name, relationship])
  }
  return shown.length > 0 ? Object.fromEntries(shown) : null
}

function relationshipOf({ schema, related, counts }: Resource, relation: Relation, self: string): Relationship {
  const targets = related.get(relation.name)
  const count = counts.get(relation.name)
  return {
    ...(schema.selfLink &&
      relation.links && { links: { self: relationshipUrl(self, relation), related: relatedUrl(self, relation) } }),
    ...(targets !== undefined && { data: linkage(targets) }),
    ...(count !== undefined && { meta: { count } }),
  }
}

export function linkage(targets: Resource | null | readonly Resource[]): Linkage {
  if (targets === null) return null
  return isMany(targets) ? targets.map(identifier) : identifier(targets)
}

export const isMany = (targets: Resource | readonly Resource[]): targets is readonly Resource[] =>
  Array.isArray(targets)
