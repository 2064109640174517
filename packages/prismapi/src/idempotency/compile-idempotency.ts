import type { Server } from '@prismapi/core/server/server'
import { lackingColumns, type ServerFeature } from '@prismapi/core/server/server-feature'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { defaultIdempotency, type IdempotencyOptions, idempotencyKey } from '@prismapi/jsonapi/request/features'
import { describedKeys } from './described-keys.ts'

/** Keys of requests, as far as they are known at boot. */
export const compiledIdempotency: ServerFeature<IdempotencyOptions> = {
  key: idempotencyKey,
  compile: (server, { resources }) => compileIdempotency(server, resources),
  openapi: describedKeys,
}

/**
 * How a server keeps responses. Null if it does not: the class says so, it is read-only, or no model can hold them.
 *
 * @throws {Error} for a model that cannot hold them, or that clients would see.
 */
export function compileIdempotency(
  { name, idempotency: own, readOnly }: Server,
  { models }: Resources,
): IdempotencyOptions | null {
  if (own === false || readOnly) return null
  const options = Object.freeze({ ...defaultIdempotency, ...own })
  const model = models[options.model]
  const isWanted = Object.keys(own).length > 0
  // Without the annotation it may be the application's own, and mean something else.
  if (!isWanted && !model?.isHidden) return null
  const problem = problemOf(options, model)
  if (problem !== null) throw new Error(`Server ${name}: idempotency: ${problem}`)
  return options
}

function problemOf(options: IdempotencyOptions, model: ModelMeta | undefined): string | null {
  if (!model) return `the Prisma schema has no model ${options.model}. Add it, as docs/idempotency.md shows it.`
  if (!model.isHidden)
    return `${model.name} holds the answers to others, and clients would see it. Write /// @hidden above it in the Prisma schema.`
  const lacking = lackingColumns(model, columns, 'idempotency.md')
  if (lacking !== null) return lacking
  for (const name of ['keptSeconds', 'leaseSeconds'] as const)
    if (!(options[name] > 0 && options[name] < Infinity))
      return `${name} is ${options[name]}. Make it a number of seconds above 0.`
  return null
}

const columns = {
  id: 'String',
  fingerprint: 'String',
  owner: 'String',
  lockedUntil: 'DateTime',
  expiresAt: 'DateTime',
  status: 'Int',
  headers: 'String',
  body: 'String',
}
