import type { ModelMeta, Resources } from '../model/meta.ts'
import { defaultIdempotency, type IdempotencyOptions, idempotencyKey } from '../request/idempotency.ts'
import { lackingColumns } from '../server/lacking-columns.ts'
import type { Server } from '../server/server.ts'
import type { ServerFeature } from '../server/server-feature.ts'
import { describedKeys } from './described-keys.ts'

/** Keys of requests, as far as they are known at boot. */
export const compiledIdempotency: ServerFeature<IdempotencyOptions> = {
  key: idempotencyKey,
  compile: compileIdempotency,
  openapi: describedKeys,
}

/**
 * How a server keeps answers; null where it does not: it says so, or the Prisma schema has no model for them.
 * @throws {Error} for a model that cannot hold them, or that clients would see.
 */
export function compileIdempotency(
  { name, idempotency: own }: Server,
  { models }: Resources,
): IdempotencyOptions | null {
  if (own === false) return null
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
