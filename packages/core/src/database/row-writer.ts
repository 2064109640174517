import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'

/** Writes rows of any model in a transaction. Values may be those that only Prisma knows, as hooks return them. */
export interface RowWriter {
  /**
   * Creates a row; answers with the columns that are wanted back.
   *
   * @throws {JsonApiError} 409 where the database has dropped the new row in silence.
   */
  insert(row: NewRow): Promise<Row>
  /** Sets columns of the rows that meet the condition, and says how many there were. */
  update(change: RowsChange): Promise<number>
  /** Removes the rows that meet the condition, and says how many there were. */
  remove(removal: RowsRemoval): Promise<number>
}

export interface NewRow {
  readonly model: ModelMeta
  readonly data: Row
  readonly returning: readonly string[]
}

export interface RowsChange {
  readonly model: ModelMeta
  readonly where: Condition
  readonly data: Row
  /** A column that counts one more; left out, none does. */
  readonly increment?: string
}

export interface RowsRemoval {
  readonly model: ModelMeta
  readonly where: Condition
  /** No more than so many of them; left out, all. */
  readonly most?: number
}
