import { everything, not } from '@prismapi/jsonapi/condition/build'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { areSameColumns, exclusiveKeys, foreignKeyColumns } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Schema } from 'yup'
import type { RelatedRows } from '../../read/find.ts'
import { idWhere, planLookUp } from '../../read/plan.ts'
import { hasHooksBefore } from '../../write/hooks.ts'
import { foreignKeys } from '../../write/input.ts'
import { type Failure, failure } from '../failures/failure.ts'
import type { Prepared } from '../run/prepare.ts'
import type { ValidationContext } from '../run/validation-context.ts'
import { type FieldRules, InvalidRules, type UniqueCheck } from './rule-set.ts'

/** Whose rules they are, for messages, and what they are run for. */
interface Ruled {
  readonly owner: string
  readonly operation: Operation
}

/** @throws {InvalidRules} for a `unique()` that no query can check, or that would reveal rows which do not clash. */
export function checkUniques({ fields, below }: FieldRules, ruled: Ruled): void {
  for (const [field, rule] of fields) {
    for (const together of uniquesOf(rule as Schema)) checkUnique(ruled, { field, together })
    if (hasUniqueWithin(rule as Schema)) throw ofPart(ruled, field)
  }
  for (const { names, rule } of below) if (hasUnique(rule)) throw ofPart(ruled, names.join('.'))
}

/** @throws {InvalidRules} for any `unique()` of rules that write no field: silently it would hold for everything. */
export function refuseUniques({ fields, below }: FieldRules, owner: string, cure = 'Remove it.'): void {
  const rules = [...fields, ...below.map(({ names, rule }) => [names.join('.'), rule] as const)]
  const [name] = rules.find(([, rule]) => hasUnique(rule as Schema)) ?? []
  if (name !== undefined) throw notWritten(owner, name, cure)
}

/** What is wrong with a `unique()` of what is no field of the type. */
export const notWritten = (owner: string, name: string, cure: string): InvalidRules =>
  new InvalidRules(`${owner}: unique() asks about a field that is written, and ${name} is none. ${cure}`)

/** The columns of a name in `unique()`: those of an attribute or to-one relation, or the column itself; else none. */
function uniqueColumns(schema: ResourceSchema, name: string): readonly string[] {
  const attribute = schema.attributes.get(name)
  if (attribute) return attribute.column ? [attribute.column.name] : []
  const relation = schema.relations.get(name)
  if (relation) return foreignKeyColumns(relation)
  return Object.hasOwn(schema.model.columns, name) ? [name] : []
}

/** @throws {InvalidRules} as `checkUniques` does; of a rule that depends on the request, when it has run. */
export function checkUnique({ owner, operation }: Ruled, { field, together }: UniqueCheck): void {
  const { schema } = operation
  const { model, type } = schema
  const refuse = (why: string) => new InvalidRules(`${owner}: ${asWritten(together)} of ${field}: ${why}`)
  if (field === 'id') throw refuse('an id that is taken is 409 without a rule. Remove it.')
  for (const name of [field, ...together]) {
    const [column] = uniqueColumns(schema, name)
    if (column === undefined) throw refuse(lacksColumns(schema, name))
    const { isList, type: columnType } = model.columns[column] ?? {}
    if (isList || columnType === 'Json') throw refuse(`${name} is a list or Json, which is not looked up. Remove it.`)
  }
  const columns = new Set([field, ...together].flatMap((name) => uniqueColumns(schema, name)))
  if (model.uniques.some((unique) => unique.every((column) => columns.has(column)))) return
  const wider = model.uniques.find((unique) => [...columns].every((column) => unique.includes(column)))
  if (wider) {
    const fields = new Set(wider.map((column) => fieldOfColumn(schema, column) ?? column))
    const others = [...fields].filter((name) => name !== field)
    throw refuse(
      `the database has ${listed([field, ...together])} unique only together with ${listed(others.filter((name) => !together.includes(name)))}. Write ${asWritten(others)}, or nothing: the constraint answers.`,
    )
  }
  const unknown =
    operation.kind === 'create' ? [...columns].find((column) => fieldOfColumn(schema, column) === null) : undefined
  if (unknown !== undefined)
    throw refuse(
      `clients of ${type} do not send ${unknown}, so that only the database can tell. Add @@unique([${[...columns].join(', ')}]) to ${model.name}.`,
    )
}

function lacksColumns({ type, attributes, relations, model }: ResourceSchema, name: string): string {
  if (attributes.has(name) || relations.has(name)) return `no column of ${model.name} holds ${name}. Remove it.`
  const meant = nearest(name, [...attributes.keys(), ...relations.keys(), ...Object.keys(model.columns)])
  const cure = meant ? `Did you mean ${meant}?` : 'Name attributes, to-one relations and columns.'
  return `${type} have no field ${name}. ${cure}`
}

const ofPart = ({ owner }: Ruled, name: string): InvalidRules =>
  new InvalidRules(`${owner}: unique() asks about a whole field, and ${name} has it for a part of one. Ask in a hook.`)

const asWritten = (together: readonly string[]): string =>
  together.length === 0 ? 'unique()' : `unique({ with: [${together.map((name) => `'${name}'`).join(', ')}] })`

const listed = (names: readonly string[]): string => names.join(' and ')

/** What each `unique()` of a rule is together with. */
const uniquesOf = ({ tests = [] }: Schema): readonly (readonly string[])[] =>
  tests
    .filter(({ OPTIONS }) => OPTIONS?.name === 'unique')
    .map(({ OPTIONS }) => (OPTIONS?.params as { readonly with?: readonly string[] } | undefined)?.with ?? [])

const hasUnique = (rule: Schema): boolean => uniquesOf(rule).length > 0 || hasUniqueWithin(rule)

const hasUniqueWithin = (rule: Schema): boolean => {
  const { innerType, fields } = rule as {
    readonly innerType?: Schema
    readonly fields?: Readonly<Record<string, Schema>>
  }
  return [...(innerType ? [innerType] : []), ...Object.values(fields ?? {})].some(hasUnique)
}

/** The attribute or relation that stands for a column, by Prisma's name or the database's; null for a hidden one. */
export function fieldOfColumn(schema: ResourceSchema, name: string): string | null {
  for (const { name: attribute, column } of schema.attributes.values()) {
    if (column && (column.name === name || column.column === name)) return attribute
  }
  for (const relation of schema.relations.values()) {
    const isItsKey = foreignKeyColumns(relation).some(
      (column) => column === name || schema.model.columns[column]?.column === name,
    )
    if (isItsKey) return relation.name
  }
  return null
}

/**
 * Whether the columns are the key of a one-to-one relation that may be empty. A row that gets a partner takes it from
 * the row that had it, so no rule has the key unique.
 */
export const isTakenOver = ({ relations }: ResourceSchema, unique: readonly string[]): boolean =>
  [...relations.values()].flatMap(exclusiveKeys).some(({ columns }) => areSameColumns(columns, unique))

/** What is about to be written, and over which row; null on create. */
export interface UniqueSubject {
  readonly schema: ResourceSchema
  readonly row: Row | null
  readonly attributes: ReadonlyMap<string, unknown>
  readonly relationships: ReadonlyMap<string, Linkage>
  readonly related: RelatedRows
}

/** Asks for hidden rows, too: a clash with a row that the client cannot see is a clash. */
export async function uniqueFailures(
  ctx: ValidationContext,
  subject: UniqueSubject,
  checks: readonly UniqueCheck[],
): Promise<readonly Failure[]> {
  const failures = await Promise.all(checks.map((check) => uniqueFailure(ctx, subject, check)))
  return failures.filter((each) => each !== null)
}

/**
 * May the write itself find out? It may if it is one statement, no application code that relies on valid data runs
 * before it, and the database has a constraint for each rule.
 */
export function isLeftToWrite(
  ctx: ValidationContext,
  { operation: { kind, schema } }: Pick<Prepared, 'operation'>,
  checks: readonly UniqueCheck[],
): boolean {
  if (kind !== 'create' && kind !== 'update') return false
  const { single } = ctx.store
  const isOneStatement = kind === 'create' ? single?.reasonAgainstInsert === null : single !== null
  return (
    isOneStatement &&
    !hasHooksBefore(ctx, schema.model.name, kind) &&
    checks.every((check) => isConstraint(schema, check))
  )
}

/**
 * Whether a database constraint checks the same. Not for a column that a database holds in several spellings: two
 * spellings are one value, and the constraint does not know that.
 */
function isConstraint(schema: ResourceSchema, { field, together }: UniqueCheck): boolean {
  const { uniques, columns } = schema.model
  const names = new Set([field, ...together].flatMap((name) => uniqueColumns(schema, name)))
  return (
    uniques.some((unique) => unique.length === names.size && unique.every((name) => names.has(name))) &&
    [...names].every((name) => hasOneSpelling(columns[name]))
  )
}

const hasOneSpelling = (column: ColumnMeta | undefined): boolean =>
  column !== undefined && (column.isEnum || oneSpelling.has(column.type))

const oneSpelling: ReadonlySet<string> = new Set(['String', 'Int', 'BigInt'])

async function uniqueFailure(
  ctx: ValidationContext,
  subject: UniqueSubject,
  { field, together }: UniqueCheck,
): Promise<Failure | null> {
  const { schema, row } = subject
  const names = [...new Set([field, ...together].flatMap((name) => uniqueColumns(schema, name)))]
  const fields = [field, ...together, ...names.map((name) => fieldOfColumn(schema, name) ?? name)]
  const sent = fields.find((name) => subject.attributes.has(name) || subject.relationships.has(name))
  if (sent === undefined) return null
  const written = Object.assign({}, ...(await Promise.all(fields.map((name) => writtenBy(ctx, subject, name)))))
  const columns: Row = Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(written, name) ? written[name] : row?.[name]]),
  )
  const values = Object.entries(columns)
  // SQL: null equals nothing, itself neither. What is not known yet comes from a default or a hook.
  if (values.length === 0 || values.some(([, value]) => value === null || value === undefined)) return null
  if (row && values.every(([column, value]) => isSame(row[column], value))) return null
  const rest = row ? not(idWhere(schema, row)) : everything
  const clash = await ctx.rows.unscoped.read(planLookUp(schema, schema.id.columns, { key: columns, rest }))
  return clash ? failure([sent], 'unique') : null
}

/** The columns that the write sets by a field. */
async function writtenBy(
  ctx: ValidationContext,
  { schema, attributes, relationships, related }: UniqueSubject,
  name: string,
): Promise<Row> {
  const { column } = schema.attributes.get(name) ?? {}
  if (column) return attributes.has(name) ? { [column.name]: attributes.get(name) } : {}
  const [relation, linkage] = [schema.relations.get(name), relationships.get(name)]
  if (!relation || linkage === undefined) return {}
  return foreignKeys({ registry: ctx.server.schemas, relation, linkage }, related)
}

const isSame = (current: unknown, value: unknown): boolean =>
  current === value || (current instanceof Date && value instanceof Date && current.getTime() === value.getTime())
