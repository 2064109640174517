import { isEverything } from '../condition/build.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { type CheckContext, seenOf } from './check-context.ts'
import type { Parameter } from './parameters.ts'
import type { Trashed } from './query.ts'

/** Is it `filter[trashed]`, of a type whose deleted rows this request may see, with their mark; to others there is no such filter. */
export const isTrashed = ({ path }: Parameter, schema: ResourceSchema, check: CheckContext): boolean =>
  path.length === 1 && path[0] === 'trashed' && seesMark(schema, check)

const seesMark = (schema: ResourceSchema, check: CheckContext): boolean =>
  schema.deletedAtAttribute !== null &&
  check.trash.has(schema.model.name) &&
  isEverything(seenOf(schema, schema.deletedAtAttribute, check))

/** @throws JsonApiError 400 for a value that is none of the three. */
export function checkTrashed(parameters: readonly Parameter[], schema: ResourceSchema, check: CheckContext): Trashed {
  const [sent, again] = parameters.filter((parameter) => isTrashed(parameter, schema, check))
  if (!sent) return 'without'
  if (again) throw badParameter(sent.key, say`Query parameter ${sent.key} must not be repeated.`)
  if (sent.value === 'with' || sent.value === 'only' || sent.value === 'without') return sent.value
  throw badParameter(sent.key, say`The ${sent.key} parameter must be with, only or without.`)
}
