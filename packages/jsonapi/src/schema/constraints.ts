import type { Text } from '../document/text.ts'
import { nearest } from '../model/nearest.ts'

/**
 * What a client is told of a constraint of the database.
 *
 * @internal
 */
export interface ExplainedConstraint {
  /** The attribute or relation that is wrong; left out, no single one is. */
  readonly field?: string
  /** What is wrong, for people. */
  readonly message: Text
}

/**
 * What the schema class says of constraints.
 *
 * @throws {Error} for a field that the type has not.
 */
export function compileConstraints(
  declared: Readonly<Record<string, ExplainedConstraint>>,
  fields: readonly string[],
): ReadonlyMap<string, ExplainedConstraint> {
  for (const [name, { field }] of Object.entries(declared))
    if (field !== undefined && !fields.includes(field))
      throw new Error(
        `constraints['${name}']: there is no field '${field}'. ${nearestOf(field, fields)}Name an attribute or a relation as clients see it, or leave the field out.`,
      )
  return new Map(Object.entries(declared))
}

function nearestOf(field: string, fields: readonly string[]): string {
  const near = nearest(field, fields)
  return near === null ? '' : `Did you mean '${near}'? `
}
