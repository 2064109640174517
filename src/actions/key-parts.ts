import { keyText } from '../database/keys.ts'
import { JsonApiError } from '../document/error.ts'
import { invalidField, notSupported } from '../document/errors.ts'
import type { ParsedResource } from '../document/parse-resource.ts'
import { pointer } from '../document/pointer.ts'
import { say } from '../document/text.ts'
import type { Row } from '../model/where.ts'
import type { RelatedRows } from '../read/related-rows.ts'
import { type Attribute, isKeyAttribute, type ResourceSchema } from '../schema/resource-schema.ts'
import { fitsColumn } from '../validation/run/fits-column.ts'
import { foreignKeys } from '../write/input/foreign-keys.ts'
import type { RequestContext } from './context.ts'

/** A part of a new resource's id, as a field says it. */
interface Part {
  readonly name: string
  readonly pointer: string
  /** Null where it is no value of the column. */
  readonly columns: Row | null
}

interface Sent {
  readonly document: ParsedResource
  readonly related: RelatedRows
}

/** Whether an id is taken of clients that do not choose ids: one of several parts may say again what fields say. */
export const repeatsId = ({ id }: ResourceSchema): boolean => id.columns.length > 1 && !id.clientGenerated

/**
 * The document of a new resource whose id has several parts. Clients send them in the id, as attributes and relationships, or both.
 *
 * @returns with the id that its attributes say; without one where clients do not choose ids, and its fields say all of it
 * @throws {JsonApiError} 409 at each field that contradicts the id; 422 at an attribute that no id has as a part; 403 for an id with a
 * part that no field says, where clients do not choose ids
 */
export async function withWholeId(ctx: RequestContext, schema: ResourceSchema, sent: Sent): Promise<ParsedResource> {
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
  const error = JsonApiError.all(parts.filter(isWrong).map(errorOf))
  if (error) throw error
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
  { document, related }: Sent,
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
