import { notFound } from '@prismapi/jsonapi/document/errors'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Reader } from '../database/reader.ts'
import { allColumns, idWhere, planRow } from '../read/plan.ts'
import type { RequestTransaction } from '../read/rows.ts'
import type { WriteInput } from './input.ts'
import { insertRow, updateRow } from './write.ts'
import type { Subject } from './write-context.ts'

export interface Saving {
  /** Null for a new one. */
  readonly row: Row | null
  readonly columns: Row
  /** May it be written; of a row that is there, as it is then. */
  check(before: Row | null): Awaitable<void>
}

/**
 * Writes columns of a row as its endpoints would, with hooks and versions; without a row, it creates one. Returns it.
 *
 * @throws {JsonApiError} 404 where the row is deleted or hidden.
 * @throws {Error} for a name that is no column: a relation would be written in other rows, without their permission.
 */
export async function saveRow(transaction: RequestTransaction, subject: Subject, saving: Saving): Promise<Row> {
  checkColumns(subject, saving.columns)
  const key = saving.row
    ? await update(transaction, subject, saving.row, saving)
    : await insert(transaction, subject, saving)
  const saved = await readRow(transaction.rows.unscoped, subject, key)
  if (!saved) throw notFound()
  return saved
}

function checkColumns({ schema: { model } }: Subject, columns: Row): void {
  const unknown = Object.keys(columns).find((name) => !model.columns[name])
  if (unknown !== undefined)
    throw new Error(
      `save('${model.name}', …): the model has no column ${unknown}. Save columns, foreign keys among them; of a relation whose key is in other rows, save these.`,
    )
}

async function insert(transaction: RequestTransaction, subject: Subject, { columns, check }: Saving): Promise<Row> {
  await check(null)
  return insertRow(transaction, subject, inputOf(columns))
}

async function update(
  transaction: RequestTransaction,
  subject: Subject,
  row: Row,
  { columns, check }: Saving,
): Promise<Row> {
  const before = await readRow(transaction.rows.reading('named'), subject, row)
  if (!before) throw notFound()
  await check(before)
  await updateRow(transaction, subject, before, inputOf(columns))
  return before
}

const inputOf = (columns: Row): WriteInput => ({
  id: null,
  attributes: new Map(),
  relationships: new Map(),
  links: [],
  columns,
})

async function readRow(reader: Reader, { schema }: Subject, key: Row): Promise<Row | null> {
  const [row = null] = await reader.read(planRow(schema, allColumns(schema), idWhere(schema, key)))
  return row
}
