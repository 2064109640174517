import type { Resource } from '../read/resource.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { linkageText } from './linkage.ts'
import { pageLinks, relatedUrl, relationshipUrl } from './links.ts'

/** Writes one relationship of a resource as a member of its object; empty where it says nothing. */
export type WriteRelationship = (resource: Resource, self: string) => string

export function relationshipWriter(schema: ResourceSchema, relation: Relation): WriteRelationship {
  const { name } = relation
  const member = `${JSON.stringify(name)}:{`
  const writeLinks = linksWriter(schema, relation)
  return (resource, self) => {
    const { related, counts, pages, pivotMeta } = resource
    const targets = related?.get(name)
    const count = counts?.get(name)
    const page = pages?.get(name)
    let text = writeLinks?.(self) ?? ''
    if (text) {
      const more = page ? JSON.stringify(pageLinks(relationshipUrl(self, relation), page, page)).slice(1, -1) : ''
      text += more ? `,${more}}` : '}'
    }
    if (targets !== undefined) text += `${text && ','}"data":${linkageText(targets, pivotMeta?.get(name) ?? null)}`
    if (page || count !== undefined) {
      const meta = { ...page?.meta, ...(count !== undefined && { count }) }
      if (Object.keys(meta).length > 0) text += `${text && ','}"meta":${JSON.stringify(meta)}`
    }
    return text && `${member}${text}}`
  }
}

/** The relationships of resources of which nothing was loaded, in parts between which their own URL stands. */
export const plainRelationships = (schema: ResourceSchema, relations: readonly Relation[]): readonly string[] =>
  relations
    .map((relation) => {
      const links = linksWriter(schema, relation)?.(place)
      return links && `${JSON.stringify(relation.name)}:{${links}}}`
    })
    .filter(Boolean)
    .join()
    .split(place)

/** What no URL and no name holds. */
const place = '\0'

/** Without their end, where the links of a page may follow; null for a relation without links. */
function linksWriter(schema: ResourceSchema, relation: Relation): ((self: string) => string) | null {
  if (!schema.selfLink || !relation.links) return null
  const text = `"links":{"self":"${relationshipUrl(place, relation)}","related":"${relatedUrl(place, relation)}"`
  const [before = '', between = '', behind = ''] = text.split(place)
  return (self) => before + self + between + self + behind
}
