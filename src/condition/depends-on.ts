import { type Condition, type Visitor, visit } from './condition.ts'

/** Whether other values of these columns, of the rows that the condition is about, may make it true or false. */
export const dependsOn = (condition: Condition, columns: ReadonlySet<string>): boolean =>
  visit(condition, visitor, columns)

const visitor: Visitor<boolean, ReadonlySet<string>> = {
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
