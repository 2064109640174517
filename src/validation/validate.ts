import { JsonApiError } from '../document/error.ts'
import { forbidden, notDeletable } from '../document/errors.ts'
import type { ParsedResource } from '../document/parse-resource.ts'
import type { Linkage } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import type { CollectionOperation, RelationOperation, ResourceOperation } from '../request/operation.ts'
import { staged } from '../request/tracing.ts'
import { type RelatedRows, relatedRows } from '../store/filling/related-rows.ts'
import { stateKey, type Validated, type Values } from './classes/request-state.ts'
import type { AnyResourceRequest } from './classes/resource-request.ts'
import { type CurrentValues, currentValues } from './current-values.ts'
import { detailOf } from './failures/messages.ts'
import { noPlaces, relationshipPlaces, resourcePlaces, toErrors } from './failures/places.ts'
import { runRequest } from './run-request.ts'
import { deleteSource, requestSource } from './running/rule-sources.ts'
import { createData, deleteData, relationshipData, sentValues, updateData } from './validation-data.ts'

// In: a request instance, and a document that is compliant and whose identifiers exist. Out: what fills the row, or 422
// with every failure. The order is that of *Validation error rules*: rules, then what the database must be asked.

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
}

/** @throws {JsonApiError} 422 with an error for each failed rule. */
export const validateCreate = staged('validate', checkCreate)

async function checkCreate(ctx: RequestContext, op: CollectionOperation, input: CreateInput): Promise<Validated> {
  const { request, document, related } = input
  const sent = sentValues(op.schema, document, true)
  const data = createData(op.schema, document.id, sent)
  begin(request, { row: null, related, data })
  request[stateKey].places = resourcePlaces(op.schema, document)
  return runResource(ctx, input, { sent, hidden: new Set() })
}

/** @throws {JsonApiError} 422 with an error for each failed rule. */
export const validateUpdate = staged('validate', checkUpdate)

async function checkUpdate(ctx: RequestContext, op: ResourceOperation, input: UpdateInput): Promise<Validated> {
  const { request, row, document, related } = input
  begin(request, { row, related, data: null })
  const current = await currentValues(ctx, op.schema, row, related)
  const sent = sentValues(op.schema, document, false)
  const data = updateData(await existingValues(request, row, current), sent)
  begin(request, { row, related, data })
  request[stateKey].places = resourcePlaces(op.schema, document)
  return runResource(ctx, input, { sent, hidden: current.hidden })
}

interface Sent {
  readonly sent: Values
  readonly hidden: ReadonlySet<string>
}

async function runResource(
  ctx: RequestContext,
  { request, document }: CreateInput,
  { sent, hidden }: Sent,
): Promise<Validated> {
  const names = new Set(Object.keys(sent))
  if (document.id !== null) names.add('id')
  const { failures, validated } = await runRequest(ctx, request, {
    source: requestSource(request),
    sent: names,
    hidden,
  })
  throwInvalid(request, failures)
  return validated
}

/**
 * The rules of the one relationship; the linkage is what may be written.
 * @throws {JsonApiError} 422 with an error for each failed rule; 403 when no rule lets clients write the relationship.
 */
export const validateRelationship = staged('validate', checkRelationship)

async function checkRelationship(
  ctx: RequestContext,
  op: RelationOperation,
  input: RelationshipInput,
): Promise<Linkage> {
  const { request, row, linkage, related } = input
  const { schema, relation, id } = op
  begin(request, { row, related, data: relationshipData(schema, id, relation.name, linkage) })
  request[stateKey].places = relationshipPlaces(relation.name, linkage)
  const source = requestSource(request)
  const { failures, validated } = await runRequest(ctx, request, {
    source,
    sent: new Set([relation.name]),
    hidden: new Set(),
  })
  if (!request[stateKey].fields.has(relation.name))
    throw forbidden(`The ${relation.name} relationship cannot be modified.`)
  throwInvalid(request, failures)
  return validated.relationships.get(relation.name) as Linkage
}

/** @throws {JsonApiError} 422 `Not Deletable` with an error for each failed rule; without rules deletion is allowed. */
export const validateDelete = staged('validate', checkDelete)

async function checkDelete(ctx: RequestContext, op: ResourceOperation, { request, row }: DeleteInput): Promise<void> {
  const related = relatedRows(ctx)
  begin(request, { row, related, data: null })
  const source = deleteSource(request)
  const current = await currentValues(ctx, op.schema, row, related)
  const existing = await existingValues(request, row, current)
  const data = deleteData(existing, await request.metaForDelete(row as never))
  begin(request, { row, related, data })
  request[stateKey].places = noPlaces
  const { failures } = await runRequest(ctx, request, { source, sent: new Set(), hidden: current.hidden })
  const messages = { ...request.messages(), ...request.deleteMessages() }
  const attributes = { ...request.attributes(), ...request.deleteAttributes() }
  const errors = failures.map((each) => notDeletable(detailOf(each, { messages, attributes }), each.rule ?? undefined))
  const error = JsonApiError.all(errors)
  if (error) throw error
}

function begin(
  request: AnyResourceRequest,
  known: { row: Row | null; related: RelatedRows; data: Values | null },
): void {
  Object.assign(request[stateKey], known)
}

/** *Validation data*, rule 3. */
async function existingValues(request: AnyResourceRequest, row: Row, { values }: CurrentValues): Promise<Values> {
  return (await request.withExisting(row as never, values)) ?? values
}

function throwInvalid(request: AnyResourceRequest, failures: Parameters<typeof toErrors>[0]): void {
  if (failures.length === 0) return
  const wording = { messages: request.messages(), attributes: request.attributes() }
  throw JsonApiError.all(toErrors(failures, request[stateKey].places ?? noPlaces, wording))
}
