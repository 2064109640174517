import { type JsonApiError, throwAll } from '@prismapi/jsonapi/document/error'
import { invalidField, notSupported } from '@prismapi/jsonapi/document/errors'
import { type ParsedResource, parseResource } from '@prismapi/jsonapi/document/parse-document'
import { say } from '@prismapi/jsonapi/document/text'
import { type Identifier, type Linkage, pointer } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { CollectionOperation } from '@prismapi/jsonapi/request/operation'
import type { BelongsTo, Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type Attribute, isKeyAttribute, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { authorize } from '../auth/authorize.ts'
import { keyText } from '../database/reader.ts'
import { type RelatedRows, relatedRows } from '../read/find.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { type AnyResourceRequest, ResourceRequest } from '../validation/request/resource-request.ts'
import { fitsColumn } from '../validation/run/column-values.ts'
import { checkUnasked, type Validated, validateCreate } from '../validation/run/validate.ts'
import { hasHooksBefore } from '../write/hooks.ts'
import { foreignKeys, identifiersOf, type WriteInput } from '../write/input.ts'
import { filledOutside, insertInOneStatement, statementFor, type WrittenRow } from '../write/single-statement.ts'
import { insertRow } from '../write/write.ts'
import type { Subject } from '../write/write-context.ts'
import { withPreparedColumns } from '../write/write-row.ts'
import { checkCreated } from './check-fields.ts'
import type { ActionResult, RequestContext } from './context.ts'
import { checkDocumentIdentifiers, checkIdIsFree, permitDocumentLinks, repeatsId, shapeOf } from './document-checks.ts'
import { beforeStatement, constraintErrorOfWrite, type Judged, writeJudged } from './judged.ts'
import { queryOf, readWritten, shownOfWritten, shownVersion } from './reading.ts'

/** POST of a resource. */
export const create = (ctx: RequestContext, op: CollectionOperation): Promise<ActionResult> =>
  insert(ctx, op, (within, inserted) => answer(within, op.schema, inserted))

export interface Inserted extends WrittenRow {
  /** How the client wants to see it. */
  readonly query: Query
}

/** What becomes of a new row. A transaction is still open then: what it throws undoes the write. */
type Then<T> = (within: RequestContext, inserted: Inserted) => Promise<T>

/** All of it but showing what was created. */
export async function insert<T>(ctx: RequestContext, op: CollectionOperation, then: Then<T>): Promise<T> {
  const judged = await judgeCreate(ctx, op)
  const { subject, query } = judged
  const shown = shownOfWritten(ctx, op.schema, query)
  const writer = statementFor(subject, null, { input: judged.input, shown })
  const input = writer ? await beforeStatement(judged, () => filledOutside(subject, null, judged.input)) : judged.input
  const written = writer && (await insertInOneStatement(writer, subject, { input, shown }))
  if (written) return then(ctx, { query, ...written })
  return writeJudged(
    ctx,
    { ...judged, input },
    {
      judge: (within) => judgeCreate(within, op),
      async write(transaction, within, { subject, input, query }) {
        const key = await insertRow(transaction, subject, input)
        return then(within, { key, shown: null, query })
      },
    },
  )
}

interface NewResource extends Judged {
  readonly subject: Subject
  readonly input: WriteInput
  readonly query: Query
}

/** What the client wants created, if it may, and its document is valid. */
export async function judgeCreate(ctx: RequestContext, op: CollectionOperation): Promise<NewResource> {
  const { schema } = op
  const request = makeRequest(ctx, op)
  await authorize(ctx, op, { request, row: null, value: null })
  const query = await queryOf(ctx, op)
  const sent = parseResource(ctx.body, shapeOf(ctx, schema, null))
  checkCreated(ctx, schema, sent)
  const related = relatedRows(ctx)
  const document = await withWholeId(ctx, schema, { document: sent, related })
  await checkIdIsFree(ctx, schema, document.id)
  const named = await namedRows(ctx, schema, { request, document, related })
  const permitLinks = permitDocumentLinks(ctx, document, { schema, row: null, related })
  const validated = await named.validating(() => validateCreate(ctx, op, { request, document, related, permitLinks }))
  const subject = { ctx, schema, related }
  return {
    subject,
    query,
    input: await withPreparedColumns(subject, null, validated),
    onBroken: constraintErrorOfWrite(subject, validated, document.id),
    async checkLeft() {
      await named.checkLeft()
      await checkUnasked(ctx, validated)
    },
  }
}

async function answer(
  ctx: RequestContext,
  schema: ResourceSchema,
  { key, shown, query }: Inserted,
): Promise<ActionResult> {
  // Shown even where a scope hides it from its creator: what was created is no secret to who sent it.
  const resource = await readWritten(ctx, schema, { key, query, shown, isScoped: false })
  const url = resourceUrl(ctx, resource ?? { schema, id: schema.id.format(key) })
  const document = await resourceDocument(ctx, resource, { query, url })
  const version = resource && shownVersion(ctx, resource)
  return { status: 201, document, headers: { Location: url }, version }
}

/** A part of a new resource's id, as a field says it. */
interface Part {
  readonly name: string
  readonly pointer: string
  /** Null where it is no value of the column. */
  readonly columns: Row | null
}

interface SentId {
  readonly document: ParsedResource
  readonly related: RelatedRows
}

/**
 * The document of a new resource whose id has several parts. Clients send the parts in the id, as attributes and
 * relationships, or both.
 *
 * @returns the document with the id that its fields give; without an id where clients do not choose ids and the fields
 * give all of it
 * @throws {JsonApiError} 409 at each field that contradicts the id; 422 at an attribute that cannot be part of an id;
 * 403 where clients do not choose ids and the id has a part that no field gives
 */
async function withWholeId(ctx: RequestContext, schema: ResourceSchema, sent: SentId): Promise<ParsedResource> {
  const { document } = sent
  const { id } = schema
  if (id.columns.length === 1) return document
  const related = await relationParts(ctx, schema, sent)
  // The target is not there, or hidden: that is a 404 in a moment.
  if (related === null) return repeatsId(schema) ? { ...document, id: null } : document
  const parts = [...attributeParts(schema, document), ...related]
  const said: Row = Object.assign({}, ...parts.map(({ columns }) => columns))
  const isWhole = id.columns.every((column) => said[column] != null)
  if (document.id === null) {
    if (!id.clientGenerated) return document
    check(parts, ({ columns }) => columns === null, unfit)
    return isWhole ? { ...document, id: id.format(said) } : document
  }
  const key = id.parse(document.id)
  if (key) check(parts, ({ columns }) => columns === null || isOther(columns, key), contradicting)
  if (id.clientGenerated) return document
  if (key && isWhole) return { ...document, id: null }
  throw notSupported(403, say`Resource type ${schema.type} does not support client-generated IDs.`, '/data/id')
}

function check(parts: readonly Part[], isWrong: (part: Part) => boolean, errorOf: (part: Part) => JsonApiError): void {
  throwAll(parts.filter(isWrong).map(errorOf))
}

const isOther = (columns: Row, key: Row): boolean =>
  Object.entries(columns).some(([column, value]) => column in key && keyText([value]) !== keyText([key[column]]))

const contradicting = ({ name, pointer: at }: Part): JsonApiError =>
  notSupported(409, say`The field ${name} does not fit the id, of which it is a part.`, at)

const unfit = ({ name, pointer: at }: Part): JsonApiError =>
  invalidField({ detail: say`The ${name} field is no part of an id.`, pointer: at, code: 'id' })

function attributeParts(schema: ResourceSchema, { attributes }: ParsedResource): readonly Part[] {
  return [...attributes].flatMap(([name, value]) => {
    const attribute = schema.attributes.get(name)
    if (!attribute || attribute.readOnly || !isKeyAttribute(schema, attribute)) return []
    return [{ name, pointer: pointer('/data/attributes', name), columns: columnsOf(attribute, value) }]
  })
}

function columnsOf({ column, values, deserialize }: Attribute, value: unknown): Row | null {
  if (!column || value === null) return null
  try {
    const filled = deserialize(value)
    return fitsColumn(column, filled, values) ? { [column.name]: filled } : null
  } catch {
    // What a date, or digits, cannot be made of.
    return null
  }
}

/** Null where a target is not there, or not to be seen. */
async function relationParts(
  { server }: RequestContext,
  schema: ResourceSchema,
  { document, related }: SentId,
): Promise<readonly Part[] | null> {
  const parts: Part[] = []
  for (const [name, linkage] of document.relationships) {
    const relation = schema.relations.get(name)
    if (relation?.kind !== 'belongsTo' || relation.readOnly || linkage === null) continue
    if (!relation.columns.some((column) => schema.id.columns.includes(column))) continue
    const columns = await foreignKeys({ registry: server.schemas, relation, linkage }, related)
    if (relation.columns.some((column) => columns[column] == null)) return null
    parts.push({ name, pointer: pointer('/data/relationships', name), columns })
  }
  return parts
}

interface SentDocument {
  readonly request: AnyResourceRequest
  readonly document: ParsedResource
  readonly related: RelatedRows
}

/** The rows that the document of a new resource names. Either validation finds them first, or the INSERT does. */
export interface NamedRows {
  /**
   * Validates the document. Rows that were left to the INSERT are looked up here if the document is not valid, or if it
   * names a row by a relation that no rule lets the client write, because the INSERT would not touch that row.
   */
  validating(validate: () => Promise<Validated>): Promise<Validated>
  /** Checks what was left to an INSERT that was not done. */
  checkLeft(): Promise<void>
}

/** @throws {JsonApiError} 404 with an error for each identifier whose row does not exist or is hidden. */
async function namedRows(ctx: RequestContext, schema: ResourceSchema, sent: SentDocument): Promise<NamedRows> {
  const check = () => checkDocumentIdentifiers(schema, sent)
  const isLeft = await leaveToForeignKeys(ctx, schema, sent)
  if (!isLeft) {
    await check()
    return { validating: (validate) => validate(), checkLeft: async () => {} }
  }
  return {
    async validating(validate) {
      let areWritten = false
      try {
        const validated = await validate()
        areWritten = [...sent.document.relationships.keys()].every((name) => validated.relationships.has(name))
        return validated
      } finally {
        if (!areWritten) await check()
      }
    },
    checkLeft: check,
  }
}

/**
 * May the INSERT itself find out whether the named rows exist? It may if it is one statement, no application code that
 * relies on valid data runs before it, no scope hides such rows, and the database has a foreign key for each.
 */
async function leaveToForeignKeys(ctx: RequestContext, schema: ResourceSchema, sent: SentDocument): Promise<boolean> {
  const named = namedIn(ctx, schema, sent.document)
  const { single } = ctx.store
  if (!named || single?.reasonAgainstInsert !== null || isReliedOn(ctx, schema, sent.request)) return false
  const { name } = schema.model
  const exist = await Promise.all(named.map(({ relation }) => single.hasForeignKey(name, relation.field)))
  if (exist.includes(false)) return false
  for (const { identifier, key } of named) sent.related.leave(identifier, key)
  return true
}

const isReliedOn = (ctx: RequestContext, schema: ResourceSchema, request: AnyResourceRequest): boolean =>
  request.withValidator !== ResourceRequest.prototype.withValidator || hasHooksBefore(ctx, schema.model.name, 'create')

interface Named {
  readonly relation: BelongsTo
  readonly identifier: Identifier
  readonly key: Row
}

/** Null where one of them has to be looked for. */
function namedIn(ctx: RequestContext, schema: ResourceSchema, document: ParsedResource): readonly Named[] | null {
  // An id that the client says fills its columns, whatever relations say of them.
  const filled = document.id === null ? [] : schema.id.columns
  const named = [...document.relationships].flatMap(([name, linkage]) =>
    keysOf(ctx, schema.relations.get(name) as Relation, { linkage, filled }),
  )
  return named.length > 0 && named.every((each) => each !== null) ? named : null
}

interface Pointed {
  readonly linkage: Linkage
  /** Columns that the relation does not fill. */
  readonly filled: readonly string[]
}

function keysOf(ctx: RequestContext, relation: Relation, { linkage, filled }: Pointed): readonly (Named | null)[] {
  return identifiersOf(linkage).map((identifier) => {
    const target = ctx.server.schemas.byType.get(identifier.type)
    if (relation.kind !== 'belongsTo' || !target || ctx.rows.hides('related', target.model.name)) return null
    if (relation.columns.some((column) => filled.includes(column))) return null
    const key = target.id.parse(identifier.id)
    return key && leadsToId(relation, target) ? { relation, identifier, key } : null
  })
}

/** Does the relation lead to the columns of the id. */
const leadsToId = ({ references }: BelongsTo, { id }: ResourceSchema): boolean =>
  references.length === id.columns.length && references.every((name) => id.columns.includes(name))
