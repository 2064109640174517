import type { InsertPlan } from '@prismapi/core/database/store'
import { constraintBroken } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { sql } from 'kysely'
import { tableOf } from '../clauses/sql-terms.ts'
import type { QueryKind } from '../compile-query.ts'
import { NotInSql } from '../dialects/codec.ts'
import { slot } from '../dialects/dialect.ts'
import { insertedColumns, returned, rowReader, shownReader } from './columns.ts'

/** A new row, which answers with some of its columns. */
export const insertQuery: QueryKind<InsertPlan, Row> = {
  key(plan, walk) {
    const model = walk.catalog.model(plan.model)
    for (const name of plan.returning) checkReadable(walk.catalog.column(model, name))
    const written = insertedColumns(model, plan.data, walk)
    return `${plan.model}(${written.map(([{ name }]) => name).join()})${plan.returning.join()};${plan.shown?.join() ?? ''}`
  },

  query(plan, walk) {
    const { catalog } = walk
    const model = catalog.model(plan.model)
    const written = insertedColumns(model, plan.data, walk)
    const names = written.map(([{ column }]) => sql.id(column))
    const values = written.map(([, index]) => slot(index))
    const given = written.length === 0 ? sql`default values` : sql`(${sql.join(names)}) values (${sql.join(values)})`
    const columns = [...new Set([...plan.returning, ...(plan.shown ?? [])])]
    const readKey = rowReader({ columns: plan.returning }, model, catalog)
    const readShown = shownReader(columns, model, catalog)
    return {
      sql: sql`insert into ${tableOf(model, catalog)} ${given} returning ${returned(columns, model, walk)}`,
      read([row]) {
        // A trigger may drop the new row in silence.
        if (!row) throw constraintBroken(say`The database refuses the change.`)
        return readShown(row) ?? readKey(row)
      },
    }
  },
}

// What cannot be read has been written all the same: Prisma would write it again.
function checkReadable({ name, type }: ColumnMeta): void {
  if (type === 'Decimal') throw new NotInSql(`the id of ${name}`)
}
