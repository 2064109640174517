import type { RenderedResource } from '@prismapi/jsonapi/document/rendered'
import {
  bothExtensions,
  type Can,
  type DataDocument,
  type Identifier,
  jsonapiOf,
  type Linkage,
  type Links,
  type Meta,
  type MetaDocument,
  type ResultObject,
  type ResultsDocument,
} from '@prismapi/jsonapi/document/types'
import { othersFirst } from '@prismapi/jsonapi/model/awaitable'
import type { Page } from '@prismapi/jsonapi/pagination/paginator'
import type { IncludeTree, Query } from '@prismapi/jsonapi/query/query'
import { asStage } from '@prismapi/jsonapi/request/observer'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { PivotMeta } from '../read/loading/pivot-meta.ts'
import type { Resource } from '../read/resource.ts'
import type { Stats } from '../read/statistics.ts'
import type { DocumentContext, RowTaker, TakenRows } from './document-context.ts'
import { pageLinks, relatedUrl, relationshipUrl, selfLink } from './links.ts'
import { isMany, linkage, resourceWriters } from './resource-text.ts'

/** A document about one resource, or about none. `url` is what the document is the answer of. */
export const resourceDocument = asStage('serialize', ofResource)

async function ofResource(
  ctx: DocumentContext,
  resource: Resource | null,
  { query, url }: ShownOne,
): Promise<DataDocument> {
  if (ctx.taker) return taken(ctx, ctx.taker, { shown: resource, query, page: null })
  const write = resourceWriters(ctx, query.fields)
  const data = resource && write(resource.schema)(resource)
  const more = await included(write, resource ? [resource] : [], query)
  return { data, ...head(ctx, { self: selfLink(ctx, url) }), ...more }
}

/** A document about a collection, or about one page of it. */
export const collectionDocument = asStage('serialize', ofCollection)

async function ofCollection(
  ctx: DocumentContext,
  resources: readonly Resource[],
  { query, url, page, count = null, can = null, stats = null }: ShownMany,
): Promise<DataDocument> {
  const meta = collectionMeta(metaOf(page, count), { can, stats })
  if (ctx.taker) return taken(ctx, ctx.taker, { shown: resources, query, page }, meta)
  const write = resourceWriters(ctx, query.fields)
  const data = await writeAll(write, resources, page)
  const more = await included(write, resources, query)
  const links = { self: selfLink(ctx, url), ...(page && pageLinks(url, query, page, ctx.at)) }
  return { data, ...head(withProfile(ctx, page), links, meta), ...more }
}

/** The document beside rows that somebody else takes. */
function taken(ctx: DocumentContext, taker: RowTaker, rows: TakenRows, meta: Meta | null = null): DataDocument {
  taker.take(ctx, rows)
  const { server, negotiatedExtensions } = ctx
  return { jsonapi: jsonapiOf(server.version, negotiatedExtensions), ...(meta && { meta }), data: linkage(rows.shown) }
}

/** A document of a relationship's linkage: of one identifier, of none, of all, or of one page of them. */
export const relationshipDocument = asStage('serialize', ofRelationship)

async function ofRelationship(
  ctx: DocumentContext,
  targets: Resource | null | readonly Resource[],
  shown: ShownRelation,
): Promise<DataDocument> {
  const { relation, query, self, page, count = null } = shown
  const url = relationshipUrl(self, relation)
  const links = {
    self: selfLink(ctx, url),
    related: relatedUrl(self, relation),
    ...(page && pageLinks(url, query, page, ctx.at)),
  }
  const document = { ...head(withProfile(ctx, page), links, metaOf(page, count)), data: linkageOf(targets, shown) }
  if (!query.includeSent) return document
  const more = includedTargets(targets, query.include.get(relation.name))
  return { ...document, included: await writeAll(resourceWriters(ctx, query.fields), more) }
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
  ...head(ctx, { self: selfLink(ctx, url), ...pageLinks(url, query, page, ctx.at) }),
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

/** After so many characters, others may have their turn. */
const charactersAtOnce = 262_144

/** At once where that is soon done. */
async function writeAll(
  write: Writers,
  resources: readonly Resource[],
  page: Page | null = null,
): Promise<readonly RenderedResource[]> {
  const written: RenderedResource[] = []
  let characters = 0
  for (const [i, resource] of resources.entries()) {
    const rendered = write(resource.schema)(resource, page?.cursors?.[i])
    written.push(rendered)
    characters += rendered.json.length
    if (characters < charactersAtOnce) continue
    characters = 0
    await othersFirst()
  }
  return written
}

const isIdentifiers = (data: Linkage): data is readonly Identifier[] => Array.isArray(data)

function withCursor(item: Identifier, page: Page | null, i: number): Identifier {
  const cursor = page?.cursors?.[i]
  return cursor === undefined ? item : { ...item, meta: { ...item.meta, page: { cursor } } }
}

const collectionMeta = (meta: Meta | null, { can, stats }: Required<Pick<ShownMany, 'can' | 'stats'>>): Meta | null =>
  can || stats ? { ...meta, ...(stats && { stats }), ...(can && { can }) } : meta

const metaOf = (page: Page | null, count: number | null): Meta | null =>
  count === null ? (page?.meta ?? null) : { ...page?.meta, count }

async function included(
  write: Writers,
  primary: readonly Resource[],
  query: Query,
): Promise<Pick<DataDocument, 'included'>> {
  const resources = includedResources(primary, query.include)
  if (!query.includeSent && resources.length === 0) return {}
  return { included: await writeAll(write, resources) }
}

/** The resources that the include tree leads to, each once, without the primary ones. */
export function includedResources(primary: readonly Resource[], tree: IncludeTree): readonly Resource[] {
  const found = new Set<Resource>()
  for (const resource of primary) collect(resource, tree, found)
  for (const resource of primary) found.delete(resource)
  return [...found]
}

function collect(resource: Resource, tree: IncludeTree, found: Set<Resource>): void {
  for (const [name, subtree] of tree) {
    const targets = resource.related?.get(name)
    if (!targets) continue
    for (const target of isMany(targets) ? targets : [targets]) {
      found.add(target)
      collect(target, subtree, found)
    }
  }
}
