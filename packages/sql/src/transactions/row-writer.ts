import type { RowWriter } from '@prismapi/core/database/row-writer'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { insertQuery } from '../queries/insert-query.ts'
import { removeRowsQuery, updateRowsQuery } from '../queries/rows-queries.ts'
import type { StatementsIn, WritingStatements } from './statements.ts'

/** Writes rows by statements of a transaction, and what these do not know by Prisma Client. */
export function rowWriterIn(
  statements: WritingStatements,
  resources: Pick<Resources, 'emulatesRelations'>,
): (inside: StatementsIn, byPrisma: RowWriter) => RowWriter {
  const insert = statements.compiledBy(insertQuery)
  const update = statements.compiledBy(updateRowsQuery)
  const remove = statements.compiledBy(removeRowsQuery(resources), ({ most }) => most !== undefined)
  return ({ ask, run }, byPrisma) => ({
    async insert(row) {
      const { model, data, returning } = row
      const plan = { model: model.name, data, returning }
      return (await ask({ compile: insert, plan, model: model.name })) ?? byPrisma.insert(row)
    },
    update: async (change) =>
      (await run({ compile: update, plan: change, model: change.model.name })) ?? byPrisma.update(change),
    remove: async (removal) =>
      (await run({ compile: remove, plan: removal, model: removal.model.name })) ?? byPrisma.remove(removal),
  })
}
