import { type LinkingSubject, permitLinks } from '../auth/permit-links.ts'
import { isEverything } from '../condition/build.ts'
import { scopeOf } from '../condition/scopes.ts'
import { keyText } from '../database/keys.ts'
import { JsonApiError } from '../document/error.ts'
import { conflict, notSupported, relatedNotFound } from '../document/errors.ts'
import { type Failures, throwAll } from '../document/failures.ts'
import type { RelationshipShape } from '../document/parse-relationship.ts'
import type { ParsedResource, ResourceShape } from '../document/parse-resource.ts'
import { pointer } from '../document/pointer.ts'
import { say } from '../document/text.ts'
import type { Identifier, Linkage } from '../document/types.ts'
import { editDistance, nearest } from '../model/nearest.ts'
import type { Row } from '../model/where.ts'
import { planLookUp } from '../read/plan.ts'
import type { RelatedRows } from '../read/related-rows.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import {
  attributeOf,
  isKeyAttribute,
  isKeyRelation,
  type ResourceSchema,
  targetSchemas,
} from '../schema/resource-schema.ts'
import type { PermitLinks } from '../validation/run/prepare.ts'
import { foreignKeys, identifiersOf } from '../write/input/foreign-keys.ts'
import type { RequestContext } from './context.ts'
import { repeatsId } from './key-parts.ts'

/** What a document about the type may contain; `id` is the URL's, null on create. */
export function shapeOf(
  ctx: Pick<RequestContext, 'server' | 'served' | 'limits'>,
  schema: ResourceSchema,
  id: string | null,
): ResourceShape {
  return {
    type: schema.type,
    id,
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
  const row = await ctx.store.reader.read(planLookUp(schema, schema.id.columns, { key }))
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
  const error = JsonApiError.all(failures)
  if (error) throw error
}

interface Named {
  readonly relation: Relation
  readonly linkage: Linkage
  readonly related: RelatedRows
  readonly row: Row
}

async function isOtherTarget(ctx: RequestContext, { relation, linkage, related, row }: Named): Promise<boolean> {
  // A target that is hidden from the client is shown as null, which it may send back.
  if (linkage === null && targetSchemas(ctx.server.schemas, relation).some(({ model }) => isScoped(ctx, model.name)))
    return false
  const columns = await foreignKeys({ registry: ctx.server.schemas, relation, linkage }, related)
  return linkage === null || Object.entries(columns).some(([name, value]) => keyText([value]) !== keyText([row[name]]))
}

const isScoped = ({ served }: RequestContext, model: string): boolean => !isEverything(scopeOf(served.scopes, model))

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

/** What is asked of the links of a document's relationships: all of each relation is sent. */
export const permitDocumentLinks =
  (ctx: RequestContext, subject: Pick<LinkingSubject, 'schema' | 'row' | 'related'>): PermitLinks =>
  (written) => {
    const pointerTo = (relation: Relation, place: number | null) =>
      pointerOf(pointer('/data/relationships', relation.name), relation, place)
    return permitLinks(ctx, { ...subject, mode: 'set', pointerOf: pointerTo }, written)
  }

/** The place of an identifier of a relation, or that of the relation itself where it has none. */
export function pointerOf(base: string, relation: Relation, index: number | null): string {
  if (index === null || !isToMany(relation)) return base
  const isRelationship = base.endsWith(pointer('/relationships', relation.name))
  return isRelationship ? pointer(base, 'data', index) : pointer(base, index)
}
