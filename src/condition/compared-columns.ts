import { type Condition, type Visitor, visit } from './condition.ts'

/** The columns of the row itself that a condition compares: a row that has them can mostly be judged in memory. */
export const comparedColumns = (condition: Condition): readonly string[] => visit(condition, visitor, null)

const visitor: Visitor<readonly string[], null> = {
  all: ({ conditions }) => conditions.flatMap(comparedColumns),
  any: ({ conditions }) => conditions.flatMap(comparedColumns),
  not: ({ condition }) => comparedColumns(condition),
  compare: ({ column }) => [column.name],
  // The database is asked.
  json: () => [],
  related: () => [],
  absent: () => [],
  constant: () => [],
}
