import { bothExtensions, jsonapiOf } from '../document/profiles.ts'
import type {
  Can,
  DataDocument,
  Identifier,
  Linkage,
  Links,
  Meta,
  MetaDocument,
  ResultObject,
  ResultsDocument,
} from '../document/types.ts'
import type { Page } from '../pagination/paginator.ts'
import type { IncludeTree, Query } from '../query/query.ts'
import type { PivotMeta } from '../read/loading/pivot-meta.ts'
import type { Resource } from '../read/resource.ts'
import type { Stats } from '../read/statistics.ts'
import { staged } from '../request/tracing.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import type { DocumentContext } from './document-context.ts'
import { includedResources } from './included.ts'
import { isMany, linkage } from './linkage.ts'
import { pageLinks, relatedUrl, relationshipUrl, selfLink } from './links.ts'
import { resourceWriters } from './resource-text.ts'

/** A document about one resource, or about none. `url` is what the document is the answer of. */
export const resourceDocument = staged('serialize', ofResource)

function ofResource(ctx: DocumentContext, resource: Resource | null, { query, url }: ShownOne): DataDocument {
  const write = resourceWriters(ctx, query.fields)
  return {
    ...head(ctx, { self: selfLink(ctx, url) }),
    data: resource && write(resource.schema)(resource),
    ...included(write, resource ? [resource] : [], query),
  }
}

/** A document about a collection, or about one page of it. */
export const collectionDocument = staged('serialize', ofCollection)

function ofCollection(
  ctx: DocumentContext,
  resources: readonly Resource[],
  { query, url, page, count = null, can = null, stats = null }: ShownMany,
): DataDocument {
  const write = resourceWriters(ctx, query.fields)
  return {
    ...head(
      withProfile(ctx, page),
      { self: selfLink(ctx, url), ...(page && pageLinks(url, query, page)) },
      collectionMeta(metaOf(page, count), { can, stats }),
    ),
    data: resources.map((resource, i) => write(resource.schema)(resource, page?.cursors?.[i])),
    ...included(write, resources, query),
  }
}

/** A document of a relationship's linkage: of one identifier, of none, of all, or of one page of them. */
export const relationshipDocument = staged('serialize', ofRelationship)

function ofRelationship(
  ctx: DocumentContext,
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
    ...head(withProfile(ctx, page), links, metaOf(page, count)),
    data: linkageOf(targets, shown),
    ...(query.includeSent && {
      included: writeAll(
        resourceWriters(ctx, query.fields),
        includedTargets(targets, query.include.get(relation.name)),
      ),
    }),
  }
}

/** A document without primary data. */
export const metaDocument = (
  ctx: Pick<DocumentContext, 'server' | 'negotiatedExtensions' | 'at'>,
  { meta, url }: { readonly meta: Meta; readonly url: string },
): MetaDocument => ({ ...head(ctx, { self: selfLink(ctx, url) }), meta })

interface Group {
  readonly key: Readonly<Record<string, unknown>>
  readonly stats: Stats
}

interface ShownGroups {
  readonly query: Pick<Query, 'params'>
  readonly url: string
  readonly page: Page
}

/** A document about groups of rows. */
export const groupsDocument = (
  ctx: Pick<DocumentContext, 'server' | 'negotiatedExtensions' | 'at'>,
  groups: readonly Group[],
  { query, url, page }: ShownGroups,
): MetaDocument => ({
  ...head(ctx, { self: selfLink(ctx, url), ...pageLinks(url, query, page) }),
  meta: { ...page.meta, groups },
})

/** The answer to an atomic request. */
export const resultsDocument = (
  { server, negotiatedExtensions }: Pick<DocumentContext, 'server' | 'negotiatedExtensions'>,
  results: readonly ResultObject[],
): ResultsDocument => ({ jsonapi: jsonapiOf(server.version, negotiatedExtensions), 'atomic:results': results })

// Primary data are identifiers here, so the targets themselves are among what is included.
function includedTargets(
  targets: Resource | null | readonly Resource[],
  subtree: IncludeTree | undefined,
): readonly Resource[] {
  if (!subtree || targets === null) return []
  const resources = isMany(targets) ? targets : [targets]
  return [...resources, ...includedResources(resources, subtree)]
}

interface ShownOne {
  readonly query: Query
  /** The URL without its query. */
  readonly url: string
}

interface ShownMany extends ShownOne {
  readonly page: Page | null
  /** Of a countable relation that is read: how many there are, whatever the page and the filter. */
  readonly count?: number | null
  /** What the caller may do with the type, where that is told. */
  readonly can?: Can | null
  /** Figures of the whole collection, where they are asked for. */
  readonly stats?: Stats | null
}

interface ShownRelation {
  readonly relation: Relation
  readonly query: Query
  /** The URL of the resource whose relation it is. */
  readonly self: string
  readonly page: Page | null
  /** As in a collection's document. */
  readonly count?: number | null
  /** What the links say, where they are rows of their own. */
  readonly pivotMeta?: PivotMeta | null
}

const head = (
  { server, negotiatedExtensions }: Pick<DocumentContext, 'server' | 'negotiatedExtensions'>,
  links: Links,
  meta: Meta | null = null,
) => ({
  jsonapi: jsonapiOf(server.version, negotiatedExtensions),
  links,
  ...(meta && { meta }),
})

/** A page may follow a profile, asked for or not. */
const withProfile = ({ server, negotiatedExtensions }: DocumentContext, page: Page | null) => ({
  server,
  negotiatedExtensions:
    page?.profile && server.version === '1.1'
      ? bothExtensions(negotiatedExtensions, { ext: [], profile: [page.profile] })
      : negotiatedExtensions,
})

function linkageOf(targets: Resource | null | readonly Resource[], { page, pivotMeta }: ShownRelation): Linkage {
  const data = linkage(targets, pivotMeta)
  return isIdentifiers(data) ? data.map((each, i) => withCursor(each, page, i)) : data
}

type Writers = ReturnType<typeof resourceWriters>

const writeAll = (write: Writers, resources: readonly Resource[]) =>
  resources.map((resource) => write(resource.schema)(resource))

const isIdentifiers = (data: Linkage): data is readonly Identifier[] => Array.isArray(data)

function withCursor(item: Identifier, page: Page | null, i: number): Identifier {
  const cursor = page?.cursors?.[i]
  return cursor === undefined ? item : { ...item, meta: { ...item.meta, page: { cursor } } }
}

const collectionMeta = (meta: Meta | null, { can, stats }: Required<Pick<ShownMany, 'can' | 'stats'>>): Meta | null =>
  can || stats ? { ...meta, ...(stats && { stats }), ...(can && { can }) } : meta

const metaOf = (page: Page | null, count: number | null): Meta | null =>
  count === null ? (page?.meta ?? null) : { ...page?.meta, count }

function included(write: Writers, primary: readonly Resource[], query: Query): Pick<DataDocument, 'included'> {
  const resources = includedResources(primary, query.include)
  if (!query.includeSent && resources.length === 0) return {}
  return { included: writeAll(write, resources) }
}
