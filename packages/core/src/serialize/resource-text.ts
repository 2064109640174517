import type { RenderedResource } from '@prismapi/jsonapi/document/rendered'
import type { Can, Identifier, Linkage } from '@prismapi/jsonapi/document/types'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { FieldSets } from '@prismapi/jsonapi/query/query'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, AttributeKind, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { PivotMeta } from '../read/loading/pivot-meta.ts'
import { noField, type Resource } from '../read/resource.ts'
import type { DocumentContext } from './document-context.ts'
import { pageLinks, relatedUrl, relationshipUrl, typeUrl } from './links.ts'

/** Writes resources of one type: the fields that are visible, asked for and loaded, and the cursor of its place. */
export type WriteResource = (resource: Resource, cursor?: string) => RenderedResource

type WriterContext = Pick<DocumentContext, 'server' | 'served' | 'seen'>

/** The writers of one document, each made at its first use. */
export function resourceWriters(ctx: WriterContext, fields: FieldSets): (schema: ResourceSchema) => WriteResource {
  const writers = new Map<ResourceSchema, WriteResource>()
  return (schema) => {
    const known = writers.get(schema)
    if (known) return known
    const fieldset = fields.get(schema.type) ?? null
    const writer = ctx.seen(schema.model.name) ? seenWriter(ctx, schema, fieldset) : writerOf(ctx, schema, fieldset)
    writers.set(schema, writer)
    return writer
  }
}

type Fieldset = ReadonlySet<string> | null

/** Writes of each resource what its caller sees: resources of the same fields by the same writer. */
function seenWriter(ctx: WriterContext, schema: ResourceSchema, fieldset: Fieldset): WriteResource {
  const writers = new Map<ReadonlySet<string> | null, WriteResource>()
  return (resource, cursor) => {
    const { hidden } = resource
    if (hidden === undefined) throw new Error(`Nobody looked which fields of ${schema.type} the caller may see.`)
    const known = writers.get(hidden)
    if (known) return known(resource, cursor)
    const isWhole = hidden === null || hidden === noField
    const writer = isWhole ? writerOf(ctx, schema, fieldset) : writerWithout(ctx, schema, { fieldset, hidden })
    writers.set(hidden, writer)
    return writer(resource, cursor)
  }
}

function writerWithout(
  ctx: WriterContext,
  schema: ResourceSchema,
  { fieldset, hidden }: { readonly fieldset: Fieldset; readonly hidden: ReadonlySet<string> },
): WriteResource {
  const shown = fieldset ?? new Set([...schema.attributes.keys(), ...schema.relations.keys()])
  const make = () => makeWriter(ctx, schema, new Set([...shown].filter((name) => !hidden.has(name))))
  // The sets are kept for their schema, and so is what is made for them.
  return fieldset === null ? keptWriter(ctx, schema, { by: hidden, make }) : make()
}

const writerOf = (ctx: WriterContext, schema: ResourceSchema, fieldset: Fieldset): WriteResource =>
  keptWriter(ctx, schema, { by: fieldset ?? schema, make: () => makeWriter(ctx, schema, fieldset) })

/** The writer that was made for the same set of fields before, unless something is concealed from the caller. */
function keptWriter(
  { served }: WriterContext,
  schema: ResourceSchema,
  { by, make }: { readonly by: object; readonly make: () => WriteResource },
): WriteResource {
  // From who may not see deleted rows.
  const isConcealed = schema.deletedAtAttribute !== null && !served.trash.has(schema.model.name)
  if (isConcealed) return make()
  const writers = keptWriters(schema)
  const known = writers.get(by) ?? make()
  writers.set(by, known)
  return known
}

// A schema is frozen and lives as long as its server, and a set of fields as long as its query is kept.
const keptWriters = memo((_: ResourceSchema) => new WeakMap<object, WriteResource>())

function makeWriter(ctx: WriterContext, schema: ResourceSchema, fieldset: Fieldset): WriteResource {
  const isConcealed = !ctx.served.trash.has(schema.model.name)
  const attributes = [...schema.attributes.values()].filter(
    ({ name, writeOnly }) =>
      !writeOnly && (!fieldset || fieldset.has(name)) && !(isConcealed && name === schema.deletedAtAttribute),
  )
  const relations = [...schema.relations.values()].filter(({ name }) => !fieldset || fieldset.has(name))
  const writeAttributes = attributesWriter(attributes)
  const writeRelationships = relations.map((relation) => relationshipWriter(schema, relation))
  const head = `{"type":${JSON.stringify(schema.type)},"id":`
  const base = `${typeUrl(ctx, schema.type)}/`
  const plain = plainRelationships(schema, relations)
  const hasPlain = plain.length > 1
  const { showsCan } = schema
  return (resource, cursor) => {
    const { id } = resource
    if (resource.hidden === noField) return { type: schema.type, id, json: `${head}${JSON.stringify(id)}}` }
    // As in `resourceUrl`: nothing that an id is encoded to has to be escaped in JSON.
    const self = base + encodeURIComponent(id)
    let json = head + JSON.stringify(id) + writeAttributes(resource.row)
    if (resource.related === null && resource.counts === null) {
      if (hasPlain) json += `,"relationships":{${plain.join(self)}}`
    } else {
      let separator = ',"relationships":{'
      for (const write of writeRelationships) {
        const text = write(resource, self)
        if (text === '') continue
        json += separator + text
        separator = ','
      }
      if (separator === ',') json += '}'
    }
    if (schema.selfLink) json += `,"links":{"self":"${self}"}`
    if (cursor !== undefined || showsCan) json += metaText(cursor, resource.can)
    return { type: schema.type, id, json: `${json}}` }
  }
}

function metaText(cursor: string | undefined, can: Can | null): string {
  if (cursor === undefined && can === null) return ''
  return `,"meta":${JSON.stringify({ ...(cursor !== undefined && { page: { cursor } }), ...(can && { can }) })}`
}

function attributesWriter(attributes: readonly Attribute[]): (row: Row) => string {
  if (attributes.length === 0) return () => ''
  const writers = attributes.map((attribute, i) => {
    const name = `${i === 0 ? '' : ','}${JSON.stringify(attribute.name)}:`
    const write = valueWriter(attribute)
    return (row: Row) => name + write(row)
  })
  return (row) => {
    let text = ',"attributes":{'
    for (const write of writers) text += write(row)
    return `${text}}`
  }
}

/** Writes the value of one attribute of a row as JSON. */
function valueWriter({ kind, isList, isConverted, column, serialize }: Attribute): (row: Row) => string {
  const write = isConverted || isList || !column ? undefined : writers[kind]
  if (!write) return (row) => valueText(serialize(row))
  const { name } = column as { name: string }
  return (row) => {
    const value = row[name]
    return value === null || value === undefined ? 'null' : write(value, row, serialize)
  }
}

type Write = (value: unknown, row: Row, serialize: Attribute['serialize']) => string

/** The kinds whose JSON is shorter to write than by way of `JSON.stringify`. */
const writers: Partial<Record<AttributeKind, Write>> = {
  integer: (value) => `${value}`,
  boolean: (value) => (value ? 'true' : 'false'),
  // Nothing in a date has to be escaped; one that is there as a text was read to be shown.
  datetime: (value, row, serialize) => (typeof value === 'string' ? `"${value}"` : valueText(serialize(row))),
  string: (value) => stringText(value as string),
}

/** As `JSON.stringify` writes a text, without copying one in which nothing has to be escaped. */
export const stringText = (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`)

/** All but what stands in JSON as it is: halves of characters are escaped, and so are quotes and control characters. */
const escaped = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'number' && Number.isFinite(value) ? `${value}` : (JSON.stringify(value) ?? 'null')
}

/** Writes one relationship of a resource as a member of its object; empty where it says nothing. */
export type WriteRelationship = (resource: Resource, self: string) => string

function relationshipWriter(schema: ResourceSchema, relation: Relation): WriteRelationship {
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
const plainRelationships = (schema: ResourceSchema, relations: readonly Relation[]): readonly string[] =>
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

function identifier({ schema, id }: Resource, metas: PivotMeta | null): Identifier {
  const meta = metas?.get(id)
  return meta ? { type: schema.type, id, meta } : { type: schema.type, id }
}

/** `metas`: what the links to the targets say, where they are rows of their own. */
export function linkage(targets: Resource | null | readonly Resource[], metas: PivotMeta | null = null): Linkage {
  if (targets === null) return null
  return isMany(targets) ? targets.map((target) => identifier(target, metas)) : identifier(targets, metas)
}

/** The same as JSON. */
function linkageText(targets: Resource | null | readonly Resource[], metas: PivotMeta | null): string {
  if (targets === null) return 'null'
  if (!isMany(targets)) return identifierText(targets, metas)
  let text = ''
  for (const target of targets) text += `,${identifierText(target, metas)}`
  return `[${text.slice(1)}]`
}

// Nothing in the name of a type has to be escaped: the registry sees to that.
function identifierText(target: Resource, metas: PivotMeta | null): string {
  if (metas?.has(target.id)) return JSON.stringify(identifier(target, metas))
  return `{"type":"${target.schema.type}","id":${JSON.stringify(target.id)}}`
}

export const isMany = (targets: Resource | readonly Resource[]): targets is readonly Resource[] =>
  Array.isArray(targets)
