import type { ParsedResource } from '../../document/parse-resource.ts'
import type { Linkage } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import type { RelatedRows } from '../../read/related-rows.ts'
import type { CollectionOperation, Operation, RelationOperation, ResourceOperation } from '../../request/operation.ts'
import { noPlaces, type Places, relationshipPlaces, resourcePlaces } from '../failures/places.ts'
import type { Values } from '../request/request-facts.ts'
import type { AnyResourceRequest } from '../request/resource-request.ts'
import { deleteRules, writeRules } from '../request/rules-of.ts'
import type { FieldRules } from '../rules/read-rules.ts'
import { type CurrentValues, seenValues } from './current-values.ts'
import type { ValidationContext } from './validation-context.ts'
import { createData, deleteData, relationshipData, sentValues, updateData } from './validation-data.ts'

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
}

export interface CreateInput {
  readonly request: AnyResourceRequest
  readonly document: ParsedResource
  readonly related: RelatedRows
}

export interface UpdateInput extends CreateInput {
  readonly row: Row
}

export interface RelationshipInput {
  readonly request: AnyResourceRequest
  readonly row: Row
  readonly linkage: Linkage
  readonly related: RelatedRows
}

export interface DeleteInput {
  readonly request: AnyResourceRequest
  readonly row: Row
  readonly related: RelatedRows
}

export function prepareCreate(op: CollectionOperation, { request, document, related }: CreateInput): Prepared {
  const values = sentValues(op.schema, document, true)
  return Object.freeze({
    request,
    operation: op,
    rulesOf: writeRules,
    row: null,
    related,
    data: createData(op.schema, document.id, values),
    sent: sentNames(document, values),
    hidden: none,
    places: resourcePlaces(op.schema, document),
  })
}

export async function prepareUpdate(
  ctx: ValidationContext,
  op: ResourceOperation,
  { request, row, document, related }: UpdateInput,
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
    data: updateData(await existingValues(request, row, current), values),
    sent: sentNames(document, values),
    hidden: current.hidden,
    places: resourcePlaces(op.schema, document),
  })
}

export function prepareRelationship(op: RelationOperation, input: RelationshipInput): Prepared {
  const { request, row, linkage, related } = input
  const { schema, relation, id } = op
  return Object.freeze({
    request,
    operation: op,
    rulesOf: writeRules,
    row,
    related,
    data: relationshipData(schema, id, relation.name, linkage),
    sent: new Set([relation.name]),
    hidden: none,
    places: relationshipPlaces(relation.name, linkage),
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
    data: deleteData(existing, await request.metaForDelete(row as never)),
    sent: none,
    hidden: current.hidden,
    places: noPlaces,
  })
}

const none: ReadonlySet<string> = new Set()

function sentNames({ id }: ParsedResource, values: Values): ReadonlySet<string> {
  const names = Object.keys(values)
  return new Set(id === null ? names : [...names, 'id'])
}

/** The current values, which the application may change before those that were sent are laid over them. */
async function existingValues(request: AnyResourceRequest, row: Row, { values }: CurrentValues): Promise<Values> {
  return (await request.withExisting(row as never, values)) ?? values
}
