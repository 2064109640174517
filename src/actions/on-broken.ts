import type { BrokenConstraint, OnBroken } from '../database/prisma/database-errors.ts'
import type { JsonApiError } from '../document/error.ts'
import { conflict, constraintBroken, invalidField } from '../document/errors.ts'
import { pointer } from '../document/pointer.ts'
import { say } from '../document/text.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { failure } from '../validation/failures/failure.ts'
import { toErrors } from '../validation/failures/places.ts'
import type { Values } from '../validation/request/request-facts.ts'
import { fieldOfColumn } from '../validation/rules/columns.ts'
import type { Validated } from '../validation/run/run.ts'

/**
 * What a constraint that was broken means to the client. A unique one, in a race: its id is taken, or one of its fields is. A
 * column that cannot be null, which no rule asked for: the field that stands for it.
 */
export const onBroken =
  (schema: ResourceSchema, validated: Validated, id: string | null): OnBroken =>
  (broken) => {
    const columns = columnsOf(schema.model, broken)
    const explained = explainedConstraint(schema, broken, columns, inResource(schema))
    if (explained !== null) return explained
    if (broken.kind === 'missing') return missing(schema, columns)
    if (broken.kind !== 'unique') return null
    return id !== null && columns.length > 0 && columns.every((column) => schema.id.columns.includes(column))
      ? conflict(say`Resource ${id} already exists.`, '/data/id')
      : takenByAnother(validated, columns)
  }

/** What the schema class says of constraints, where no document is to blame. */
export const onBrokenOf =
  (schema: ResourceSchema): OnBroken =>
  (broken) =>
    explainedConstraint(schema, broken, columnsOf(schema.model, broken), inResource(schema))

/** What the schema class says of constraints that an action breaks: at the input of the field's name, where there is one. */
export const onBrokenBy =
  (schema: ResourceSchema, input: Values): OnBroken =>
  (broken) =>
    explainedConstraint(schema, broken, columnsOf(schema.model, broken), (field) =>
      field !== undefined && Object.hasOwn(input, field) ? pointer('/meta', field) : '/meta',
    )

/** What the schema class says of what was broken: by its name, by the columns of a unique one, or by the database's code. */
function explainedConstraint(
  { constraints, model }: ResourceSchema,
  { kind, constraint, code, model: written }: BrokenConstraint,
  columns: readonly string[],
  pointerTo: (field: string | undefined) => string,
): JsonApiError | null {
  // A hook or an action may have written another model, whose columns have the same names.
  const isOther = written !== null && written !== model.name
  const isOfColumns = (name: string) =>
    !isOther && columns.length > 0 && model.constraints[name]?.join() === columns.join()
  const [, said] =
    [...constraints].find(([name]) => name === constraint) ??
    [...constraints].find(([name]) => kind === 'unique' && isOfColumns(name)) ??
    [...constraints].find(([name]) => name === code) ??
    []
  if (!said) return null
  const { field, message } = said
  if (field === undefined)
    return kind === 'unique' || kind === 'excluded'
      ? conflict(message)
      : invalidField({ detail: message, pointer: pointerTo(field), code: 'constraint' })
  return invalidField({ detail: message, pointer: pointerTo(field), code: 'constraint', meta: { field } })
}

/** The place of a field in the document of a resource. */
const inResource =
  ({ attributes, relations }: ResourceSchema) =>
  (field = ''): string => {
    const member = attributes.has(field) ? 'attributes' : relations.has(field) ? 'relationships' : null
    return member === null ? '/data' : `/data/${member}/${field}`
  }

/** Prisma's names of the columns, of which the database says its own, or none but the name of the constraint. */
function columnsOf(model: ModelMeta, { constraint, columns }: BrokenConstraint): readonly string[] {
  const named = constraint === null ? undefined : model.constraints[constraint]
  if (named) return named
  if (constraint !== null && columns.length === 0) return []
  const all = Object.values(model.columns)
  return columns.map((stored) => all.find(({ column }) => column === stored)?.name ?? stored)
}

function missing(schema: ResourceSchema, [column = '']: readonly string[]): JsonApiError | null {
  const field = fieldOfColumn(schema, column)
  if (field === null) return null
  return invalidField({
    detail: say`The ${field} field is required.`,
    pointer: '/data',
    code: 'required',
    meta: { field },
  })
}

/**
 * What a broken unique constraint of the database means to the client, when another request was faster: the same 422 that
 * the rule gives; 409 where no rule covers the columns.
 */
export function takenByAnother({ prepared, rules }: Validated, columns: readonly string[]): JsonApiError {
  const { request, operation, places, data } = prepared
  const named = columns.map((column) => fieldOfColumn(operation.schema, column)).filter((name) => name !== null)
  const covered = named.filter((name) => rules.fields.has(name))
  const sent = covered.filter((name) => data[name] !== undefined && data[name] !== null)
  // A name is taken within an organization, not the organization.
  const field = sent.find((name) => operation.schema.attributes.has(name)) ?? sent[0] ?? covered[0]
  if (field === undefined) return constraintBroken(say`The resource is in conflict with another one.`)
  const wording = { messages: request.messages(), attributes: request.attributes() }
  const [error] = toErrors([failure([field], 'unique')], places, wording)
  return error as JsonApiError
}
