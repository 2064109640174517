import type { LinksToItself, ParsedResource } from '@prismapi/jsonapi/document/parse-document'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type {
  CollectionOperation,
  Operation,
  RelationOperation,
  ResourceOperation,
} from '@prismapi/jsonapi/request/operation'
import type { BelongsTo, HasOne, MorphTo, Relation, ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { isKeyAttribute, isKeyRelation, type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import type { RelatedRows } from '../../read/find.ts'
import { type Target, toOneTargets } from '../../read/loading/load-relations.ts'
import { childrenOf, membersOf, planLevel, planLookUp, planRow } from '../../read/plan.ts'
import { markHiddenFields, toResource } from '../../read/resource.ts'
import type { LinkChange } from '../../write/links/link-change.ts'
import { noPlaces, type Places, relationshipPlaces, resourcePlaces } from '../failures/places.ts'
import { deleteRules, writeRules } from '../request/make-request.ts'
import type { Values } from '../request/request-base.ts'
import type { AnyResourceRequest } from '../request/resource-request.ts'
import type { FieldRules } from '../rules/rule-set.ts'
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
    row: null,
    data: flat({ type: op.schema.type, id: document.id }, values, linkedToItself(values, document)),
    hidden: none,
    permitLinks,
    ...ofDocument(op, input, values),
    ...(document.itself && { itself: document.itself }),
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
    row,
    data: flat(await existingValues(request, row, current), values),
    hidden: current.hidden,
    permitLinks,
    ...ofDocument(op, input, values),
  })
}

/** The same for a row that is not known: rules look at nothing but what was sent. */
export function prepareUnread(op: ResourceOperation, input: DocumentInput): Prepared {
  const values = sentValues(op.schema, input.document, false)
  return Object.freeze({
    row: null,
    data: flat({ type: op.schema.type, id: op.id }, values),
    hidden: none,
    permitLinks: null,
    isUnread: true,
    ...ofDocument(op, input, values),
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

export interface CurrentValues {
  readonly values: Readonly<Record<string, unknown>>
  /** Relations with a target that the client may not see; for `seenValues`, also fields that it may not see. */
  readonly hidden: ReadonlySet<string>
}

/** A resource's values as documents write them: attributes, and the linkage of the relations that are validated. */
async function currentValues(
  ctx: ValidationContext,
  schema: ResourceSchema,
  row: Row,
  related: RelatedRows,
): Promise<CurrentValues> {
  const values: Record<string, unknown> = { type: schema.type, id: schema.id.format(row) }
  for (const attribute of schema.attributes.values()) {
    if (!attribute.writeOnly) values[attribute.name] = attribute.serialize(row)
  }
  const hidden = new Set<string>()
  const relations = [...schema.relations.values()].filter(isLoaded)
  await Promise.all(
    relations.map(async (relation) => {
      const linkage = await currentLinkage({ ctx, schema, row, related }, relation)
      values[relation.name] = linkage === 'hidden' ? null : linkage
      if (linkage === 'hidden') hidden.add(relation.name)
    }),
  )
  return { values, hidden }
}

/** The same with null for the fields that the caller may not see of the row. */
async function seenValues(
  ctx: ValidationContext,
  schema: ResourceSchema,
  row: Row,
  related: RelatedRows,
): Promise<CurrentValues> {
  const resource = toResource(schema, row)
  const [{ values, hidden }] = await Promise.all([
    currentValues(ctx, schema, row, related),
    markHiddenFields(ctx, [resource]),
  ])
  const concealed = resource.hidden
  if (!concealed) return { values, hidden }
  const shown = Object.entries(values).map(([name, value]) => [name, concealed.has(name) ? null : value] as const)
  return { values: Object.fromEntries(shown), hidden: new Set([...hidden, ...concealed]) }
}

// To-one relations whose key the row holds are loaded, unless notValidated(); others where mustValidate() asks for it.
const isLoaded = (relation: Relation): boolean =>
  relation.mustValidate || ((relation.kind === 'belongsTo' || relation.kind === 'morphTo') && !relation.notValidated)

interface Subject {
  readonly ctx: ValidationContext
  readonly schema: ResourceSchema
  readonly row: Row
  readonly related: RelatedRows
}

/** The linkage of a relation as the caller may see it: hidden targets are none. */
export async function visibleLinkage(subject: Subject, relation: Relation): Promise<Linkage> {
  const linkage = await currentLinkage(subject, relation)
  return linkage === 'hidden' ? null : linkage
}

function currentLinkage(subject: Subject, relation: Relation): Promise<Linkage | 'hidden'> {
  switch (relation.kind) {
    case 'belongsTo':
    case 'morphTo':
      return ownLinkage(subject, relation)
    case 'hasOne':
      return oppositeLinkage(subject, relation)
    case 'hasMany':
    case 'manyToMany':
    case 'manyThrough':
      return toManyLinkage(subject, relation)
    default:
      return relation satisfies never
  }
}

/** The linkage that the row's own columns hold. The database is asked only where they do not say all of it. */
async function ownLinkage({ ctx, row, related }: Subject, relation: BelongsTo | MorphTo): Promise<Linkage | 'hidden'> {
  const target = toOneTargets(ctx.server.schemas, relation, row)
  if (!target) return null
  const { schema, references } = target
  const key: Row = Object.fromEntries(references.map((column, i) => [column, target.values[i]]))
  const isId = schema.id.columns.every((column) => references.includes(column))
  if (!isId) return referenced(ctx, target, key)
  const identifier = { type: schema.type, id: schema.id.format(key) }
  // Two columns without a foreign key may name a row that is gone.
  const isCertain =
    !ctx.rows.hides('related', schema.model.name) && !(relation.kind === 'morphTo' && relation.form.kind === 'columns')
  if (isCertain) return identifier
  const [found] = await related.find([identifier])
  return found ? identifier : 'hidden'
}

/** A foreign key that points at a unique which is not the id. */
async function referenced(ctx: ValidationContext, { schema }: Target, key: Row): Promise<Linkage | 'hidden'> {
  const row = await ctx.rows.read('related', planLookUp(schema, schema.id.columns, { key }))
  return row ? { type: schema.type, id: schema.id.format(row) } : 'hidden'
}

async function oppositeLinkage({ ctx, row }: Subject, relation: HasOne): Promise<Linkage> {
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const where = childrenOf(relation, schema.model, row)
  const [found] = await ctx.rows.read('related', planRow(schema, schema.id.columns, where))
  return found ? { type: schema.type, id: schema.id.format(found) } : null
}

async function toManyLinkage({ ctx, schema, row }: Subject, relation: ToMany): Promise<Linkage> {
  const target = schemaOf(ctx.server.schemas, relation.model)
  const where = membersOf(ctx, relation, { schema, row })
  const rows = await ctx.rows.read('related', planLevel(target, target.id.columns, where))
  return rows.map((each) => ({ type: target.type, id: target.id.format(each) }))
}
