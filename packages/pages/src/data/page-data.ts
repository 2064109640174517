import type { Identifier, Relationship, ResourceObject } from '@prismapi/jsonapi/document/types'
import { answerTo } from './answer-to.ts'
import { hasLabel, pageDataQueries } from './page-data-queries.ts'
import type { PageRequest, ShownDocument } from './page-request.ts'
import { readGrouped } from './read-labels.ts'

/**
 * What a page shows beside its document: the names of resources, and what their relationships hold. The same operation
 * reads it with more included, so the caller learns nothing that the API would not tell.
 */
export interface PageData {
  /** The resource as far as any of the documents has it. */
  attributesOf(identifier: Identifier): Readonly<Record<string, unknown>> | null
  /** A relationship, of the page's own document or of the other. */
  relationshipOf(identifier: Identifier, name: string): Relationship | null
}

type Known = Map<string, { attributes: Record<string, unknown>; relationships: Record<string, Relationship> }>

const keyOf = ({ type, id }: Identifier): string => `${type} ${id}`

export async function readPageData(browsed: PageRequest): Promise<PageData> {
  const others = [await readOwner(browsed), await readMore(browsed), ...(await readGrouped(browsed))]
  return pageDataFrom([...others.filter((more) => more !== null), browsed.document])
}

/** What documents tell, the last one with the last word. */
export function pageDataFrom(documents: readonly ShownDocument[]): PageData {
  const known: Known = new Map()
  for (const document of documents) note(known, document)
  return {
    attributesOf: (identifier) => known.get(keyOf(identifier))?.attributes ?? null,
    relationshipOf: (identifier, name) => known.get(keyOf(identifier))?.relationships[name] ?? null,
  }
}

function note(known: Known, { data, included = [] }: ShownDocument): void {
  const primary = data === undefined || data === null ? [] : Array.isArray(data) ? data : [data]
  for (const resource of [...primary, ...included] as readonly ResourceObject[]) {
    const key = keyOf(resource)
    const before = known.get(key) ?? { attributes: {}, relationships: {} }
    const relationships = { ...before.relationships }
    for (const [name, each] of Object.entries(resource.relationships ?? {}))
      relationships[name] = joined(relationships[name], each)
    known.set(key, { attributes: { ...before.attributes, ...resource.attributes }, relationships })
  }
}

const joined = (before: Relationship | undefined, each: Relationship): Relationship => ({
  ...before,
  ...each,
  links: { ...before?.links, ...each.links },
  meta: { ...before?.meta, ...each.meta },
})

/** The document of the first query that the server answers; null where it answers none. */
async function readMore({ caller, operation, search, document }: PageRequest): Promise<ShownDocument | null> {
  if (!caller || !operation || document.errors || document.data === undefined) return null
  for (const query of pageDataQueries(caller.api, operation, search)) {
    const more = await answerTo(caller.ctx, operation, query)
    if (more) return more
  }
  return null
}

/** What a related resource, or linkage, belongs to. */
async function readOwner({ caller, operation }: PageRequest): Promise<ShownDocument | null> {
  if (!caller || !operation || !('relation' in operation)) return null
  const { schema, id } = operation
  const shown = caller.api.schemas.byType.get(schema.type)
  if (!shown || !hasLabel(shown)) return null
  const query = new URLSearchParams({ include: '', [`fields[${schema.type}]`]: shown.label })
  return answerTo(caller.ctx, { kind: 'view', schema, id }, query)
}
