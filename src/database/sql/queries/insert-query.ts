import { sql } from 'kysely'
import type { ColumnMeta } from '../../../model/meta.ts'
import type { Row } from '../../../model/where.ts'
import type { InsertPlan } from '../../store.ts'
import { tableOf } from '../clauses/sql-terms.ts'
import { slot } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import type { QueryKind } from './query-kind.ts'
import { rowReader } from './reading.ts'
import { insertedColumns } from './written-columns.ts'

/** A new row, which answers with some of its columns. */
export const insertQuery: QueryKind<InsertPlan, Row> = {
  key(plan, walk) {
    const model = walk.catalog.model(plan.model)
    for (const name of plan.returning) checkReadable(walk.catalog.column(model, name))
    const written = insertedColumns(model, plan.data, walk)
    return `${plan.model}(${written.map(([{ name }]) => name).join()})${plan.returning.join()}`
  },

  query(plan, walk) {
    const { catalog, dialect } = walk
    const model = catalog.model(plan.model)
    const written = insertedColumns(model, plan.data, walk)
    const names = written.map(([{ column }]) => sql.id(column))
    const values = written.map(([, index]) => slot(index))
    const given = written.length === 0 ? sql`default values` : sql`(${sql.join(names)}) values (${sql.join(values)})`
    const returned = plan.returning.map((name) => {
      const column = catalog.column(model, name)
      return dialect.selected(sql`${sql.id(column.column)}`, column, catalog.codec(column))
    })
    const readRow = rowReader({ columns: plan.returning }, model, catalog)
    return {
      sql: sql`insert into ${tableOf(model, catalog)} ${given} returning ${sql.join(returned)}`,
      read: ([row]) => readRow(row ?? []),
    }
  },
}

// What cannot be read has been written all the same: Prisma would write it again.
function checkReadable({ name, type }: ColumnMeta): void {
  if (type === 'Decimal') throw new NotInSql(`the id of ${name}`)
}
