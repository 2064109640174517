import { areAlike } from '@prismapi/jsonapi/condition/memory'
import { type Failures, type JsonApiError, throwAll } from '@prismapi/jsonapi/document/error'
import { conflict, notSupported, relatedNotFound } from '@prismapi/jsonapi/document/errors'
import type { ParsedResource, RelationshipShape, ResourceShape } from '@prismapi/jsonapi/document/parse-document'
import { say } from '@prismapi/jsonapi/document/text'
import { type Identifier, isObject, type Linkage, own, pointer } from '@prismapi/jsonapi/document/types'
import { editDistance, nearest } from '@prismapi/jsonapi/model/nearest'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  attributeOf,
  isKeyAttribute,
  isKeyRelation,
  type ResourceSchema,
  schemaOf,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import { type LinkingSubject, permitLinks } from '../auth/permit-links.ts'
import { keyText } from '../database/reader.ts'
import { find, type RelatedRows } from '../read/find.ts'
import { readSpellings } from '../read/loading/loading.ts'
import { planLookUp } from '../read/plan.ts'
import type { PermitLinks } from '../validation/run/prepare.ts'
import { foreignKeys, identifiersOf } from '../write/input.ts'
import type { RequestContext } from './context.ts'

/** What a document about the type may contain; `id` is the URL's, null on create. */
export function shapeOf(
  ctx: Pick<RequestContext, 'server' | 'served' | 'limits'>,
  schema: ResourceSchema,
  id: string | null,
  alsoId?: string,
): ResourceShape {
  return {
    type: schema.type,
    id,
    ...(alsoId !== undefined && { alsoId }),
    acceptsClientId: schema.id.clientGenerated || repeatsId(schema),
    knowsLid: ctx.server.version === '1.1',
    hasAttribute: (name) => attributeOf(schema, name, ctx.served.trash) !== null,
    meant: (container, name) =>
      misspelt(name, container === 'attributes' ? schema.attributes.keys() : schema.relations.keys()),
    changesId: (name, value) => id !== null && isOtherPart(schema, id, { name, value }),
    relation: (name) => {
      const relation = schema.relations.get(name)
      return relation ? relationShape(ctx, relation) : null
    },
    isType: (type) => ctx.server.schemas.byType.has(type),
    maxLinkage: ctx.limits.linkage,
  }
}

/** Whether an id is taken of clients that do not choose ids: one of several parts may say again what fields say. */
export const repeatsId = ({ id }: ResourceSchema): boolean => id.columns.length > 1 && !id.clientGenerated

/** The id by which the document names the row of the URL, if it is spelt differently; otherwise undefined. */
export async function otherSpelling(
  ctx: RequestContext,
  { schema, id }: ResourceOperation,
  row: Row,
): Promise<string | undefined> {
  const sent = isObject(ctx.body) && isObject(ctx.body.data) ? own(ctx.body.data, 'id') : undefined
  const shown = schema.id.format(row)
  if (typeof sent !== 'string' || sent === shown) return undefined
  if (sent === id) return sent
  const named = areAlike(sent, shown) ? await find(ctx, schema, sent) : null
  return named && schema.id.format(named) === shown ? sent : undefined
}

/** The name that is two letters away at most. To compare long texts would cost more than they are worth. */
function misspelt(name: string, known: Iterable<string>): string | null {
  const meant = name.length > 60 ? null : nearest(name, known)
  return meant !== null && editDistance(name.toLowerCase(), meant.toLowerCase()) <= 2 ? meant : null
}

/** A part of the id that is sent as it is changes nothing: clients send back what they were shown. */
function isOtherPart(schema: ResourceSchema, id: string, { name, value }: { name: string; value: unknown }): boolean {
  const attribute = schema.attributes.get(name)
  if (!attribute || attribute.readOnly || !isKeyAttribute(schema, attribute)) return false
  const key = schema.id.parse(id)
  return key !== null && attribute.serialize(key) !== value
}

export const relationShape = (ctx: Pick<RequestContext, 'server' | 'limits'>, relation: Relation) =>
  ({
    name: relation.name,
    isToMany: isToMany(relation),
    types: targetSchemas(ctx.server.schemas, relation).map((schema) => schema.type),
    isType: (type: string) => ctx.server.schemas.byType.has(type),
    maxLinkage: ctx.limits.linkage,
  }) satisfies RelationshipShape

/** 409 when a client-generated id is taken, by a row that the client cannot see as well: the id would not be free. */
export async function checkIdIsFree(ctx: RequestContext, schema: ResourceSchema, id: string | null): Promise<void> {
  const key = id === null ? null : schema.id.parse(id)
  if (!key) return
  const row = await ctx.rows.unscoped.read(planLookUp(schema, schema.id.columns, { key }))
  if (row) throw conflict(say`Resource ${id} already exists.`, '/data/id')
}

/** 404 for every identifier of the document that does not exist, or that the client cannot see. */
export function checkDocumentIdentifiers(
  schema: ResourceSchema,
  parts: { document: ParsedResource; related: RelatedRows },
): Promise<void> {
  const linkages = [...parts.document.relationships].map(([name, linkage]) => {
    const relation = schema.relations.get(name) as Relation
    return [`/data/relationships/${name}`, { linkage, relation }] as const
  })
  return checkIdentifiers(parts.related, new Map(linkages))
}

/** 403 for every relation of the document that is a part of the id, and names another target than the row has. */
export async function checkKeyRelations(
  ctx: RequestContext,
  schema: ResourceSchema,
  parts: { document: ParsedResource; related: RelatedRows; row: Row },
): Promise<void> {
  const failures: JsonApiError[] = []
  for (const [name, linkage] of parts.document.relationships) {
    const relation = schema.relations.get(name) as Relation
    if (relation.readOnly || !isKeyRelation(schema, relation)) continue
    if (!(await isOtherTarget(ctx, { ...parts, relation, linkage }))) continue
    const detail = say`The field ${name} is part of the id, which never changes.`
    failures.push(notSupported(403, detail, pointer('/data/relationships', name)))
  }
  throwAll(failures)
}

interface Named {
  readonly relation: Relation
  readonly linkage: Linkage
  readonly related: RelatedRows
  readonly row: Row
}

async function isOtherTarget(ctx: RequestContext, { relation, linkage, related, row }: Named): Promise<boolean> {
  // A target that is hidden from the client is shown as null, which it may send back.
  if (
    linkage === null &&
    targetSchemas(ctx.server.schemas, relation).some(({ model }) => ctx.rows.hides('related', model.name))
  )
    return false
  const columns = await foreignKeys({ registry: ctx.server.schemas, relation, linkage }, related)
  const others = Object.entries(columns).filter(([name, value]) => keyText([value]) !== keyText([row[name]]))
  if (linkage === null || relation.kind !== 'belongsTo') return linkage === null || others.length > 0
  if (others.length === 0 || !others.every(([name, value]) => areAlike(value, row[name]))) return others.length > 0
  const [key, wanted] = [row, columns].map((each) => relation.columns.map((name) => each[name]))
  const target = { schema: schemaOf(ctx.server.schemas, relation.model), references: relation.references }
  const spelt = await readSpellings(ctx, target, new Map([['', key as readonly unknown[]]]))
  return spelt.get('') !== keyText(wanted as readonly unknown[])
}

interface SentLinkage {
  readonly linkage: Linkage
  readonly relation: Relation
}

/**
 * Do the resources exist that a document's identifiers name; hidden ones do not. Linkage by the pointer of its
 * relationship, `/data/relationships/tags`, or `/data` where the relationship is the document.
 *
 * @throws {JsonApiError} 404 with an error for each identifier, up to a thousand.
 */
export async function checkIdentifiers(
  related: RelatedRows,
  linkages: ReadonlyMap<string, SentLinkage>,
): Promise<void> {
  const sent = [...linkages].map(([base, { linkage, relation }]) => ({ base, relation, named: identifiersOf(linkage) }))
  const identifiers = sent.flatMap(({ named }) => named)
  if (identifiers.length === 0) return
  const rows = await related.findNamed(identifiers)
  // Most documents name nothing that is missing, and a pointer for each of many identifiers takes its time.
  if (!rows.includes(null)) return
  throwAll(missing(sent, rows))
}

interface Naming {
  readonly base: string
  readonly relation: Relation
  readonly named: readonly Identifier[]
}

/** The rows are those of all that is named, in this order. */
function* missing(sent: readonly Naming[], rows: readonly (Row | null)[]): Failures {
  let at = 0
  for (const { base, relation, named } of sent)
    for (const i of named.keys()) if (!rows[at++]) yield relatedNotFound(pointerOf(base, relation, i))
}

/** What is asked of the links of a document's relationships, of which all are sent; null where it has none. */
export function permitDocumentLinks(
  ctx: RequestContext,
  { relationships, itself }: ParsedResource,
  subject: Pick<LinkingSubject, 'schema' | 'row' | 'related'>,
): PermitLinks | null {
  if (relationships.size === 0 && !itself) return null
  const pointerTo = (relation: Relation, place: number | null) =>
    pointerOf(pointer('/data/relationships', relation.name), relation, place)
  const linking: LinkingSubject = {
    mode: 'set',
    pointerOf: pointerTo,
    ...subject,
    ...(itself && { toItself: itself.relations }),
  }
  return (written) => permitLinks(ctx, linking, written)
}

/** The place of an identifier of a relation, or that of the relation itself where it has none. */
export function pointerOf(base: string, relation: Relation, index: number | null): string {
  if (index === null || !isToMany(relation)) return base
  const isRelationship = base.endsWith(pointer('/relationships', relation.name))
  return isRelationship ? pointer(base, 'data', index) : pointer(base, index)
}
