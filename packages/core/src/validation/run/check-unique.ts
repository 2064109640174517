import { everything, not } from '@prismapi/jsonapi/condition/build'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { idWhere, planLookUp } from '../../read/plan.ts'
import type { RelatedRows } from '../../read/related-rows.ts'
import { hasHooksBefore } from '../../write/hooks.ts'
import { foreignKeys } from '../../write/input.ts'
import { type Failure, failure } from '../failures/failure.ts'
import type { UniqueCheck } from '../rules/rule-set.ts'
import { fieldOfColumn, uniqueColumns } from '../rules/unique-rules.ts'
import type { Prepared } from './prepare.ts'
import type { ValidationContext } from './validation-context.ts'

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
