import type { RenderedResource } from '../document/rendered.ts'
import type { Can } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import type { FieldSets } from '../query/query.ts'
import { noField, type Resource } from '../read/resource.ts'
import type { Attribute, ResourceSchema } from '../schema/resource-schema.ts'
import type { DocumentContext } from './document-context.ts'
import { typeUrl } from './links.ts'
import { plainRelationships, relationshipWriter } from './relationship-text.ts'
import { valueWriter } from './value-text.ts'

/** Writes resources of one type: what is visible, asked for and loaded. The cursor is that of the resource on its page. */
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

// The sets are kept for their schema, and so is what is made for them.
const writersWithout = new WeakMap<ReadonlySet<string>, WriteResource>()

function writerWithout(
  ctx: WriterContext,
  schema: ResourceSchema,
  { fieldset, hidden }: { readonly fieldset: Fieldset; readonly hidden: ReadonlySet<string> },
): WriteResource {
  const shown = fieldset ?? new Set([...schema.attributes.keys(), ...schema.relations.keys()])
  const isKept = fieldset === null && isWhole(ctx, schema)
  const known = isKept ? writersWithout.get(hidden) : undefined
  if (known) return known
  const writer = makeWriter(ctx, schema, new Set([...shown].filter((name) => !hidden.has(name))))
  if (isKept) writersWithout.set(hidden, writer)
  return writer
}

/** Is nothing of the type concealed from who may not see deleted rows. */
const isWhole = (ctx: WriterContext, { deletedAtAttribute, model }: ResourceSchema): boolean =>
  deletedAtAttribute === null || ctx.served.trash.has(model.name)

// A schema is frozen and lives as long as its server. What clients choose is not kept: they have too many ways to.
const wholeWriters = new WeakMap<ResourceSchema, WriteResource>()

function writerOf(ctx: WriterContext, schema: ResourceSchema, fieldset: Fieldset): WriteResource {
  const isKept = fieldset === null && isWhole(ctx, schema)
  const known = isKept ? wholeWriters.get(schema) : undefined
  if (known) return known
  const writer = makeWriter(ctx, schema, fieldset)
  if (isKept) wholeWriters.set(schema, writer)
  return writer
}

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
