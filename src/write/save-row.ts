import type { Condition } from '../condition/condition.ts'
import type { Transaction } from '../database/store.ts'
import { notFound } from '../document/errors.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import { allColumns } from '../read/columns.ts'
import { planLevel } from '../read/plan.ts'
import { idWhere } from '../read/row-conditions.ts'
import type { WriteInput } from './input/write-input.ts'
import { insertRow, updateRow } from './write.ts'
import type { Subject } from './write-context.ts'
import { visible } from './write-row.ts'

export interface Saving {
  /** Null for a new one. */
  readonly row: Row | null
  readonly columns: Row
  /** May it be written; of a row that is there, as it is then. */
  check(before: Row | null): Awaitable<void>
}

/**
 * Writes columns of a row as its endpoints would, with hooks and versions; without a row it creates one. Answers with the
 * row as it is then.
 *
 * @throws {JsonApiError} 404 where the row has gone, or is hidden.
 * @throws {Error} for what is no column: a relation would be written in other rows, which nobody was asked about.
 */
export async function saveRow(transaction: Transaction, subject: Subject, saving: Saving): Promise<Row> {
  checkColumns(subject, saving.columns)
  const key = saving.row
    ? await update(transaction, subject, saving.row, saving)
    : await insert(transaction, subject, saving)
  const saved = await readRow(transaction, subject, idWhere(subject.schema, key))
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

async function insert(transaction: Transaction, subject: Subject, { columns, check }: Saving): Promise<Row> {
  await check(null)
  return insertRow(transaction, subject, inputOf(columns))
}

async function update(transaction: Transaction, subject: Subject, row: Row, { columns, check }: Saving): Promise<Row> {
  const before = await readRow(transaction, subject, visible(subject, row))
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

async function readRow({ reader }: Transaction, { schema }: Subject, where: Condition): Promise<Row | null> {
  const [row = null] = await reader.read({ ...planLevel(schema, allColumns(schema), where), take: 1 })
  return row
}
