import { jsonapiOf } from '../document/profiles.ts'
import type { DataDocument, Links, Meta, MetaDocument } from '../document/types.ts'
import type { Page } from '../pagination/paginator.ts'
import type { IncludeTree, Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import type { Relation } from '../schema/resource-schema.ts'
import type { Resource } from '../store/resource.ts'
import { includedResources } from './included.ts'
import { pageLinks, relatedUrl, relationshipUrl, selfLink } from './links.ts'
import { isMany, linkage, resourceObject } from './resource-object.ts'

/** A document about one resource, or about none. `url` is what the document is the answer of. */
export function resourceDocument(ctx: RequestContext, resource: Resource | null, { query, url }: Shown): DataDocument {
  return {
    ...head(ctx, { self: selfLink(ctx, url) }),
    data: resource && resourceObject(ctx, resource, query.fields),
    ...included(ctx, resource ? [resource] : [], query),
  }
}

/** A document about a collection, or about one page of it. */
export function collectionDocument(
  ctx: RequestContext,
  resources: readonly Resource[],
  { query, url, page, count = null }: ShownMany,
): DataDocument {
  return {
    ...head(ctx, { self: selfLink(ctx, url), ...(page && pageLinks(url, query, page)) }, metaOf(page, count)),
    data: resources.map((resource) => resourceObject(ctx, resource, query.fields)),
    ...included(ctx, resources, query),
  }
}

/** A document of a relationship's linkage: of one identifier, of none, of all, or of one page of them. */
export function relationshipDocument(
  ctx: RequestContext,
  targets: Resource | null | readonly Resource[],
  shown: ShownRelation,
): DataDocument {
  const { relation, query, self, page, count = null } = shown
  const url = relationshipUrl(self, relation)
  const links = {
    self: selfLink(ctx, url),
    related: relatedUrl(self, relation),
    ...(page && pageLinks(url, query, page)),
  }
  return {
    ...head(ctx, links, metaOf(page, count)),
    data: linkage(targets),
    ...(query.includeSent && {
      included: includedTargets(targets, query.include.get(relation.name)).map((resource) =>
        resourceObject(ctx, resource, query.fields),
      ),
    }),
  }
}

/** A document without primary data. */
export const metaDocument = (
  ctx: Pick<RequestContext, 'server' | 'applied' | 'url'>,
  { meta, url }: { readonly meta: Meta; readonly url: string },
): MetaDocument => ({ ...head(ctx, { self: selfLink(ctx, url) }), meta })

// Primary data are identifiers here, so the targets themselves are among what is included.
function includedTargets(
  targets: Resource | null | readonly Resource[],
  subtree: IncludeTree | undefined,
): readonly Resource[] {
  if (!subtree || targets === null) return []
  const resources = isMany(targets) ? targets : [targets]
  return [...resources, ...includedResources(resources, subtree)]
}

interface Shown {
  readonly query: Query
  /** The URL without its query. */
  readonly url: string
}

interface ShownMany extends Shown {
  readonly page: Page | null
  /** Of a countable relation that is read: how many there are, whatever the page and the filter. */
  readonly count?: number | null
}

interface ShownRelation {
  readonly relation: Relation
  readonly query: Query
  /** The URL of the resource whose relation it is. */
  readonly self: string
  readonly page: Page | null
  /** As in a collection's document. */
  readonly count?: number | null
}

const head = (
  { server, applied }: Pick<RequestContext, 'server' | 'applied'>,
  links: Links,
  meta: Meta | null = null,
) => ({
  jsonapi: jsonapiOf(server.version, applied),
  links,
  ...(meta && { meta }),
})

const metaOf = (page: Page | null, count: number | null): Meta | null =>
  count === null ? (page?.meta ?? null) : { ...page?.meta, count }

function included(ctx: RequestContext, primary: readonly Resource[], query: Query): Pick<DataDocument, 'included'> {
  const resources = includedResources(primary, query.include)
  if (!query.includeSent && resources.length === 0) return {}
  return { included: resources.map((resource) => resourceObject(ctx, resource, query.fields)) }
}
