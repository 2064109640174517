import type { Relation, ResourceSchema } from '../schema/resource-schema.ts'
import type { Resource } from '../store/resource.ts'
import { linkageText } from './linkage.ts'
import { pageLinks, relatedUrl, relationshipUrl } from './links.ts'

/** Writes one relationship of a resource as a member of its object; empty where it says nothing. */
export type WriteRelationship = (resource: Resource, self: string) => string

export function relationshipWriter(schema: ResourceSchema, relation: Relation): WriteRelationship {
  const { name } = relation
  const member = `${JSON.stringify(name)}:{`
  const hasLinks = schema.selfLink && relation.links
  const links = (self: string) =>
    `"links":{"self":"${relationshipUrl(self, relation)}","related":"${relatedUrl(self, relation)}"`
  return (resource, self) => {
    const { related, counts, pages, linkMeta } = resource
    if (related === null && counts === null) return hasLinks ? `${member}${links(self)}}}` : ''
    const targets = related?.get(name)
    const count = counts?.get(name)
    const page = pages?.get(name)
    const parts: string[] = []
    if (hasLinks) {
      const more = page ? JSON.stringify(pageLinks(relationshipUrl(self, relation), page, page)).slice(1, -1) : ''
      parts.push(`${links(self)}${more && `,${more}`}}`)
    }
    if (targets !== undefined) parts.push(`"data":${linkageText(targets, linkMeta?.get(name) ?? null)}`)
    const meta = page || count !== undefined ? { ...page?.meta, ...(count !== undefined && { count }) } : {}
    if (Object.keys(meta).length > 0) parts.push(`"meta":${JSON.stringify(meta)}`)
    return parts.length > 0 ? `${member}${parts.join()}}` : ''
  }
}
