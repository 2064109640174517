import { isDeepStrictEqual } from 'node:util'
import { not } from '@prismapi/jsonapi/condition/build'
import type { FieldAccess } from '@prismapi/jsonapi/condition/scopes'
import { throwAll } from '@prismapi/jsonapi/document/error'
import { fieldForbidden, forbidden } from '@prismapi/jsonapi/document/errors'
import type { ParsedResource } from '@prismapi/jsonapi/document/parse-document'
import { type Linkage, pointer } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { inverseOf, isKeptByTarget, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { fieldHolds, fieldsFor, type JudgedField } from '../auth/viewable.ts'
import type { RelatedRows } from '../read/find.ts'
import { isShown, markHiddenFields, type Resource, toResource } from '../read/resource.ts'
import { visibleLinkage } from '../validation/run/prepare.ts'
import { identifiersOf } from '../write/input.ts'
import { isSameValue } from '../write/write-row.ts'
import type { RequestContext } from './context.ts'

/** @throws {JsonApiError} 403 at the URLs of a relation that the caller may not see of this row. */
export async function checkShown(ctx: RequestContext, parent: Resource, { name }: Relation): Promise<void> {
  await markHiddenFields(ctx, [parent])
  if (!isShown(parent, name)) throw forbidden()
}

/**
 * Nothing is known of a row that is not there yet, so that a rule which asks about the row allows nothing.
 *
 * @throws {JsonApiError} 403 with an error for each field that the caller may not write.
 */
export function checkCreated(ctx: RequestContext, schema: ResourceSchema, document: ParsedResource): void {
  const access = fieldsFor(ctx, schema.model.name, 'create')
  if (!access) return
  const sent = [...sentFields(schema, document), ...setByLinksToItself(schema, document)]
  const ruled = sent.filter(({ name, isIgnored }) => !isIgnored && access.fields.has(name))
  for (const { name } of ruled) ctx.observer?.fieldWritten?.({ schema, allowed: false, rules: access.ruledBy(name) })
  // Of a new row only rules without a condition certainly hold.
  const reasonOf = (name: string) => access.ruledBy(name).find(({ effect, where }) => effect === 'cannot' && !where)
  throwForbidden(ruled.map((each) => ({ ...each, reason: reasonOf(each.name)?.because })))
}

/** Who makes a new resource one of its own children says what its parent is. */
const setByLinksToItself = (schema: ResourceSchema, { itself }: ParsedResource): readonly Sent[] =>
  [...(itself?.relations ?? [])].flatMap((name) => {
    const relation = schema.relations.get(name)
    const inverse = relation && isKeptByTarget(relation) ? inverseOf(relation, schema) : null
    return inverse ? [{ name: inverse.name, at: pointer('/data/relationships', name), isIgnored: false }] : []
  })

interface Changing {
  readonly document: ParsedResource
  readonly related: RelatedRows
  readonly row: Row
}

/**
 * In: a document. Out: the same, without fields that the caller may not write and has sent as it sees them.
 *
 * @throws {JsonApiError} 403 with an error for each field that it may not write.
 */
export async function checkChanged(
  ctx: RequestContext,
  schema: ResourceSchema,
  changing: Changing,
): Promise<ParsedResource> {
  const { document, row } = changing
  const access = fieldsFor(ctx, schema.model.name, 'update')
  if (!access) return document
  const denied: Sent[] = []
  const unchanged = new Set<string>()
  for (const sent of sentFields(schema, document)) {
    const { name, isIgnored } = sent
    const condition = access.fields.get(name)
    if (!condition || isIgnored || (await mayWrite(ctx, schema, { name, row, condition, access }))) continue
    if (await isUnchanged(ctx, schema, changing, name)) unchanged.add(name)
    else denied.push({ ...sent, reason: await reasonOf(ctx, schema, { name, row, access }) })
  }
  throwForbidden(denied)
  const isLeft = ([name]: readonly [string, unknown]) => !unchanged.has(name)
  return {
    ...document,
    attributes: new Map([...document.attributes].filter(isLeft)),
    relationships: new Map([...document.relationships].filter(isLeft)),
  }
}

/** @throws {JsonApiError} 403 where the caller may not change the relation of this row. */
export async function checkRelationWritten(
  ctx: RequestContext,
  schema: ResourceSchema,
  { row, relation: { name } }: { readonly row: Row; readonly relation: Relation },
): Promise<void> {
  const access = fieldsFor(ctx, schema.model.name, 'update')
  const condition = access?.fields.get(name)
  if (access && condition && !(await mayWrite(ctx, schema, { name, row, condition, access })))
    throw fieldForbidden(name, '/data', await reasonOf(ctx, schema, { name, row, access }))
}

/**
 * To let an action save what is already there: a value that its caller sees in the row is allowed, as no change.
 *
 * @throws {JsonApiError} 403 where an action saves a column that its caller may not write.
 */
export async function checkSaved(
  ctx: RequestContext,
  schema: ResourceSchema,
  row: Row | null,
  columns: Row,
): Promise<void> {
  const access = fieldsFor(ctx, schema.model.name, row ? 'update' : 'create')
  if (!access) return
  const isSame = async (name: string, value: unknown): Promise<boolean> => {
    if (!row || !isSameValue(row[name], value)) return false
    const seen = ctx.seen(schema.model.name)?.stored.get(name)
    return !seen || fieldHolds(ctx, schema, { row, condition: seen })
  }
  const denied: Named[] = []
  for (const [name, value] of Object.entries(columns)) {
    const condition = access.stored.get(name)
    if (!condition || (await fieldHolds(ctx, schema, { row, condition })) || (await isSame(name, value))) continue
    denied.push({ name, at: null })
  }
  throwForbidden(denied)
}

/** A field, and where the document has it; null where no client sent it. */
interface Named {
  readonly name: string
  readonly at: string | null
  /** What the rule that forbids it says. */
  readonly reason?: string | undefined
}

function throwForbidden(fields: readonly Named[]): void {
  throwAll(fields.map(({ name, at, reason }) => fieldForbidden(name, at, reason)))
}

/** What the strongest `cannot` says that holds for the row. */
async function reasonOf(
  ctx: RequestContext,
  schema: ResourceSchema,
  { name, row, access }: Omit<WrittenField, 'condition'>,
): Promise<string | undefined> {
  const rules = access.ruledBy(name)
  if (!rules.some(({ because }) => because)) return undefined
  for (const { effect, where, because } of rules) {
    if (effect === 'can') continue
    if (where === null || !(await fieldHolds(ctx, schema, { row, condition: not(where) }))) return because
  }
  return undefined
}

interface Sent extends Named {
  /** Clients may send it, and it is never written. */
  readonly isIgnored: boolean
}

const sentFields = (schema: ResourceSchema, { attributes, relationships }: ParsedResource): readonly Sent[] => [
  ...[...attributes.keys()].map((name) => ({
    name,
    at: pointer('/data/attributes', name),
    isIgnored: schema.attributes.get(name)?.readOnly ?? true,
  })),
  ...[...relationships.keys()].map((name) => ({
    name,
    at: pointer('/data/relationships', name),
    isIgnored: schema.relations.get(name)?.readOnly ?? true,
  })),
]

interface WrittenField extends JudgedField {
  readonly name: string
  readonly access: FieldAccess
}

async function mayWrite(
  ctx: RequestContext,
  schema: ResourceSchema,
  { name, access, ...judged }: WrittenField,
): Promise<boolean> {
  const allowed = await fieldHolds(ctx, schema, judged)
  ctx.observer?.fieldWritten?.({ schema, allowed, rules: access.ruledBy(name) })
  return allowed
}

/** Was the field sent with the value that the caller sees there. */
async function isUnchanged(
  ctx: RequestContext,
  schema: ResourceSchema,
  { document, related, row }: Changing,
  name: string,
): Promise<boolean> {
  const resource = toResource(schema, row)
  await markHiddenFields(ctx, [resource])
  if (!isShown(resource, name)) return false
  const attribute = schema.attributes.get(name)
  if (attribute)
    return !attribute.writeOnly && isDeepStrictEqual(toJson(attribute.serialize(row)), document.attributes.get(name))
  const relation = schema.relations.get(name) as Relation
  const sent = document.relationships.get(name) as Linkage
  const shown = await visibleLinkage({ ctx, schema, row, related }, relation)
  return isDeepStrictEqual(await readIdentifiers(ctx, sent, related), await readIdentifiers(ctx, shown, related))
}

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/** What linkage leads to, as the resources are spelt, whatever the identifiers are. */
async function readIdentifiers(
  { server }: RequestContext,
  linkage: Linkage,
  related: RelatedRows,
): Promise<readonly string[]> {
  const identifiers = identifiersOf(linkage)
  const rows = await related.find(identifiers)
  const names = identifiers.map(({ type, id }, i) => {
    const row = rows[i]
    return `${type} ${(row && server.schemas.byType.get(type)?.id.format(row)) ?? id}`
  })
  return names.sort()
}
