import type { LinksToItself, ParsedResource } from '@prismapi/jsonapi/document/parse-document'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type {
  CollectionOperation,
  Operation,
  RelationOperation,
  ResourceOperation,
} from '@prismapi/jsonapi/request/operation'
import { isKeyAttribute, isKeyRelation, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { RelatedRows } from '../../read/related-rows.ts'
import type { LinkChange } from '../../write/links/link-change.ts'
import { noPlaces, type Places, relationshipPlaces, resourcePlaces } from '../failures/places.ts'
import { deleteRules, writeRules } from '../request/make-request.ts'
import type { Values } from '../request/request-base.ts'
import type { AnyResourceRequest } from '../request/resource-request.ts'
import type { FieldRules } from '../rules/rule-set.ts'
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
  /** Where the document has each field, for errors. */
  readonly placesOf: () => Places
  /** Relations of a new resource that lead to itself; left out where none does. */
  readonly itself?: LinksToItself
  /** Null where nothing is linked. */
  readonly permitLinks: PermitLinks | null
  /** The row that changes was not read: a check fails unless the statement itself makes it. Left out, it was read. */
  readonly isUnread?: boolean
}

/**
 * Is told which relations will be written, before a rule for any of them runs. Returns the changes of links that are
 * kept in other rows.
 *
 * @throws {JsonApiError} 403 where the policies of these rows deny it.
 */
export type PermitLinks = (written: ReadonlyMap<string, Linkage>) => Promise<readonly LinkChange[]>

/** A document, and whose rules it has to meet. */
interface DocumentInput {
  readonly request: AnyResourceRequest
  readonly document: ParsedResource
  readonly related: RelatedRows
}

export interface CreateInput extends DocumentInput {
  /** Null where the document has no relationships. */
  readonly permitLinks: PermitLinks | null
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

/** What is the same for all writes of a resource, whatever its row is. */
const ofDocument = (
  op: CollectionOperation | ResourceOperation,
  { request, document, related }: DocumentInput,
  values: Values,
) => ({
  request,
  operation: op,
  rulesOf: writeRules,
  related,
  sent: sentNames(document, values),
  placesOf: () => resourcePlaces(op.schema, document),
})

export function prepareCreate(op: CollectionOperation, input: CreateInput): Prepared {
  const { document, permitLinks } = input
  const values = sentValues(op.schema, document, true)
  return Object.freeze({
    ...ofDocument(op, input, values),
    row: null,
    data: flat({ type: op.schema.type, id: document.id }, values, linkedToItself(values, document)),
    hidden: none,
    ...(document.itself && { itself: document.itself }),
    permitLinks,
  })
}

/** What rules see of relations that lead to the new resource itself: the client's name for it. */
function linkedToItself(values: Values, { itself }: ParsedResource): Values {
  const names = [...(itself?.relations ?? [])].filter((name) => name in values)
  return Object.fromEntries(
    names.map((name) => {
      const others = values[name]
      return [name, Array.isArray(others) ? [...others, itself?.identifier] : itself?.identifier]
    }),
  )
}

export async function prepareUpdate(
  ctx: ValidationContext,
  op: ResourceOperation,
  input: UpdateInput,
): Promise<Prepared> {
  const { request, row, document, related, permitLinks } = input
  // An error, or none, would tell the client of values that it may not see.
  const current = await seenValues(ctx, op.schema, row, related)
  const values = sentValues(op.schema, document, false)
  return Object.freeze({
    ...ofDocument(op, input, values),
    row,
    data: flat(await existingValues(request, row, current), values),
    hidden: current.hidden,
    permitLinks,
  })
}

/** The same for a row that is not known: rules look at nothing but what was sent. */
export function prepareUnread(op: ResourceOperation, input: DocumentInput): Prepared {
  const values = sentValues(op.schema, input.document, false)
  return Object.freeze({
    ...ofDocument(op, input, values),
    row: null,
    data: flat({ type: op.schema.type, id: op.id }, values),
    hidden: none,
    permitLinks: null,
    isUnread: true,
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
    placesOf: () => relationshipPlaces(relation.name, linkage),
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
    placesOf: () => noPlaces,
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
