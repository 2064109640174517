import type { ParsedResource } from '../../document/parse-resource.ts'
import type { Linkage } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import type { RelatedRows } from '../../read/related-rows.ts'
import type { CollectionOperation, Operation, RelationOperation, ResourceOperation } from '../../request/operation.ts'
import { isKeyAttribute, isKeyRelation, type ResourceSchema } from '../../schema/resource-schema.ts'
import type { LinkChange } from '../../write/links/link-change.ts'
import { noPlaces, type Places, relationshipPlaces, resourcePlaces } from '../failures/places.ts'
import type { Values } from '../request/request-facts.ts'
import type { AnyResourceRequest } from '../request/resource-request.ts'
import { deleteRules, writeRules } from '../request/rules-of.ts'
import type { FieldRules } from '../rules/read-rules.ts'
import { type CurrentValues, seenValues } from './current-values.ts'
import type { ValidationContext } from './validation-context.ts'

/** What is validated: the data that the rules see, and where it comes from. Frozen. */
export interface Prepared {
  readonly request: AnyResourceRequest
  readonly operation: Operation
  readonly rulesOf: (request: AnyResourceRequest) => FieldRules
  /** Null on create. */
  readonly row: Row | null
  readonly related: RelatedRows
  readonly data: Values
  /** The fields that the client sent, read-only ones left out. */
  readonly sent: ReadonlySet<string>
  /** Fields whose current value, or target, the client may not see. */
  readonly hidden: ReadonlySet<string>
  readonly places: Places
  /** Null where nothing is linked. */
  readonly permitLinks: PermitLinks | null
}

/**
 * Is told which relations are about to be written, before a rule is asked about any of them; answers with what that makes of links
 * which are kept in other rows.
 *
 * @throws {JsonApiError} 403 where the policies of these rows do not allow it.
 */
export type PermitLinks = (written: ReadonlyMap<string, Linkage>) => Promise<readonly LinkChange[]>

export interface CreateInput {
  readonly request: AnyResourceRequest
  readonly document: ParsedResource
  readonly related: RelatedRows
  readonly permitLinks: PermitLinks
}

export interface UpdateInput extends CreateInput {
  readonly row: Row
}

export interface RelationshipInput {
  readonly request: AnyResourceRequest
  readonly row: Row
  readonly linkage: Linkage
  readonly related: RelatedRows
  readonly permitLinks: PermitLinks
}

export interface DeleteInput {
  readonly request: AnyResourceRequest
  readonly row: Row
  readonly related: RelatedRows
}

export function prepareCreate(
  op: CollectionOperation,
  { request, document, related, permitLinks }: CreateInput,
): Prepared {
  const values = sentValues(op.schema, document, true)
  return Object.freeze({
    request,
    operation: op,
    rulesOf: writeRules,
    row: null,
    related,
    data: flat({ type: op.schema.type, id: document.id }, values),
    sent: sentNames(document, values),
    hidden: none,
    places: resourcePlaces(op.schema, document),
    permitLinks,
  })
}

export async function prepareUpdate(
  ctx: ValidationContext,
  op: ResourceOperation,
  { request, row, document, related, permitLinks }: UpdateInput,
): Promise<Prepared> {
  // An error, or none, would tell the client of values that it may not see.
  const current = await seenValues(ctx, op.schema, row, related)
  const values = sentValues(op.schema, document, false)
  return Object.freeze({
    request,
    operation: op,
    rulesOf: writeRules,
    row,
    related,
    data: flat(await existingValues(request, row, current), values),
    sent: sentNames(document, values),
    hidden: current.hidden,
    places: resourcePlaces(op.schema, document),
    permitLinks,
  })
}

export function prepareRelationship(op: RelationOperation, input: RelationshipInput): Prepared {
  const { request, row, linkage, related, permitLinks } = input
  const { schema, relation, id } = op
  return Object.freeze({
    request,
    operation: op,
    rulesOf: writeRules,
    row,
    related,
    data: flat({ type: schema.type, id }, { [relation.name]: linkage }),
    sent: new Set([relation.name]),
    hidden: none,
    places: relationshipPlaces(relation.name, linkage),
    permitLinks,
  })
}

export async function prepareDelete(
  ctx: ValidationContext,
  op: ResourceOperation,
  { request, row, related }: DeleteInput,
): Promise<Prepared> {
  // As for updates. What rules have to look at all the same, `metaForDelete` adds to them.
  const current = await seenValues(ctx, op.schema, row, related)
  const existing = await existingValues(request, row, current)
  return Object.freeze({
    request,
    operation: op,
    rulesOf: deleteRules,
    row,
    related,
    data: flat(existing, { meta: await request.metaForDelete(row as never) }),
    sent: none,
    hidden: current.hidden,
    places: noPlaces,
    permitLinks: null,
  })
}

// Without a prototype, so that a rule that looks for `constructor` finds nothing but data.
const flat = (...parts: readonly Values[]): Values => Object.freeze(Object.assign(Object.create(null), ...parts))

const none: ReadonlySet<string> = new Set()

function sentNames({ id }: ParsedResource, values: Values): ReadonlySet<string> {
  const names = Object.keys(values)
  return new Set(id === null ? names : [...names, 'id'])
}

/** The current values, which the application may change before those that were sent are laid over them. */
async function existingValues(request: AnyResourceRequest, row: Row, { values }: CurrentValues): Promise<Values> {
  return (await request.withExisting(row as never, values)) ?? values
}

/** What the client may set of what it sent, on create or on update: read-only fields are ignored. */
function sentValues(
  schema: ResourceSchema,
  { attributes, relationships }: ParsedResource,
  isCreating: boolean,
): Values {
  const values: Record<string, unknown> = {}
  for (const [name, value] of attributes) {
    const attribute = schema.attributes.get(name)
    if (attribute && !attribute.readOnly && !isFixed(schema, isKeyAttribute(schema, attribute), isCreating))
      values[name] = value
  }
  for (const [name, linkage] of relationships) {
    const relation = schema.relations.get(name)
    if (relation && !relation.readOnly && !(isKeyRelation(schema, relation) && !isCreating)) values[name] = linkage
  }
  return values
}

// A part of the id stays what it is; on create it is the id's where clients send that.
const isFixed = ({ id }: ResourceSchema, isKey: boolean, isCreating: boolean): boolean =>
  isKey && (!isCreating || id.clientGenerated)
