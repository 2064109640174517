import { preconditionFailed, preconditionRequired } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { Row } from '../model/where.ts'
import type { Versions } from '../request/precondition.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { toldVersion } from '../write/version.ts'
import type { RequestContext } from './context.ts'
import { mayRead, type Written } from './viewed.ts'

/**
 * Is the row what the client takes it for. Every write looks whether it is still this row, in its own transaction or
 * statement, so what holds here holds until then. Of a row that the caller may not read, no version is the right one: which
 * one it has would tell when it was changed.
 * @throws {JsonApiError} 412, or 428 where the schema wants to be told and nothing was said.
 */
export async function checkPrecondition(ctx: RequestContext, op: Written, row: Row): Promise<void> {
  const { precondition } = ctx
  const { schema } = op
  if (schema.requiresIfMatch && !precondition?.match) throw preconditionRequired(schema.type)
  if (!precondition) return
  const { match, noneMatch, pointer } = precondition
  const namesVersion = [match, noneMatch].some((versions) => versions && versions !== 'any')
  const version = namesVersion && (await mayRead(ctx, op, row)) ? toldVersion(ctx, schema, row) : null
  if (match && !includes(match, version))
    throw preconditionFailed(version === null ? unversioned(schema) : stale, pointer)
  if (noneMatch && includes(noneMatch, version)) throw preconditionFailed(existing, pointer)
}

const includes = (versions: Versions, version: string | null): boolean =>
  versions === 'any' || (version !== null && versions.includes(version))

const stale = say`The resource is not at the version that the request names: read it again before you change it.`
const existing = say`The resource is what If-None-Match rules out.`
const unversioned = ({ type }: ResourceSchema) =>
  say`Resources of type ${type} have no version that a request could name.`
