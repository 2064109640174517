import type { Row } from '../model/where.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { versionOf } from '../write/version.ts'
import type { RequestContext } from './context.ts'

/**
 * The version of a row as its entity tag tells it; null where a rule hides its column from the caller, who could read it there.
 * Where clients have to name the version, it is told.
 */
export function toldVersion({ seen }: Pick<RequestContext, 'seen'>, schema: ResourceSchema, row: Row): string | null {
  const { version, requiresIfMatch, model } = schema
  const isHidden = version !== null && seen(model.name)?.stored.has(version.column)
  return isHidden && !requiresIfMatch ? null : versionOf(schema, row)
}
