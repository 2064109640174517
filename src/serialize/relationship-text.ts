import type { Relation, ResourceSchema } from '../schema/resource-schema.ts'
import type { Resource } from '../store/resource.ts'
import { linkageText } from './linkage.ts'
import { pageLinks, relatedUrl, relationshipUrl } from './links.ts'

/** Writes one relationship of a resource as a member of its object, with a comma before it; empty where it says nothing. */
export type WriteRelationship = (resource: Resource, self: string) => string

export function relationshipWriter(schema: ResourceSchema, relation: Relation): WriteRelationship {
  const { name } = relation
  const member = `,${JSON.stringify(name)}:{`
  const hasLinks = schema.selfLink && relation.links
  return ({ related, counts, pages, linkMeta }, self) => {
    const targets = related.get(name)
    const count = counts.get(name)
    const page = pages.get(name)
    let text = ''
    if (hasLinks) {
      const url = relationshipUrl(self, relation)
      const more = page ? JSON.stringify(pageLinks(url, page, page)).slice(1, -1) : ''
      text = `,"links":{"self":"${url}","related":"${relatedUrl(self, relation)}"${more && `,${more}`}}`
    }
    if (targets !== undefined) text += `,"data":${linkageText(targets, linkMeta?.get(name) ?? null)}`
    const meta = page || count !== undefined ? { ...page?.meta, ...(count !== undefined && { count }) } : {}
    if (Object.keys(meta).length > 0) text += `,"meta":${JSON.stringify(meta)}`
    return text && `${member}${text.slice(1)}}`
  }
}
