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

/** Whether other values of these columns, of the rows that the condition is about, may make it true or false. */
export const dependsOn = (condition: Condition, columns: ReadonlySet<string>): boolean =>
  visit(condition, dependence, columns)

const dependence: Visitor<boolean, ReadonlySet<string>> = {
  all: ({ conditions }, columns) => conditions.some((each) => dependsOn(each, columns)),
  any: ({ conditions }, columns) => conditions.some((each) => dependsOn(each, columns)),
  not: ({ condition }, columns) => dependsOn(condition, columns),
  compare: ({ column }, columns) => columns.has(column.name),
  json: ({ column }, columns) => columns.has(column.name),
  // The rows behind may lead back to these.
  related: () => true,
  absent: () => true,
  constant: () => false,
}
