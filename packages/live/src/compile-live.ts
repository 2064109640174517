import type { Server } from '@prismapi/core/server/server'
import { lackingColumns, type ServerFeature } from '@prismapi/core/server/server-feature'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { defaultLive, type LiveOptions, liveKey } from '@prismapi/jsonapi/request/features'
import { describedStreams } from './described-streams.ts'
import { withTrail } from './trail/compile-trail.ts'

/** Streams of changes, as far as they are known at boot. */
export const compiledLive: ServerFeature<LiveOptions> = {
  key: liveKey,
  types: (server, options, registry) => withTrail(options, liveOptionsOf(server, options.resources), registry),
  compile: (server, { resources }) => liveOptionsOf(server, resources),
  openapi: () => describedStreams,
}

/**
 * How a server tells changes; null where it does not.
 * @throws {Error} for a database that cannot log them, and for a Prisma schema without a model for the log.
 */
export function liveOptionsOf({ name, live: own }: Server, resources: Resources): LiveOptions | null {
  if (own === false) return null
  const options = Object.freeze({ ...defaultLive, ...(own === true ? {} : own) })
  const problem = problemOf(options, resources)
  if (problem !== null) throw new Error(`Server ${name}: live: ${problem}`)
  return options
}

function problemOf(options: LiveOptions, { provider, models: { Change: model } }: Resources): string | null {
  if (provider !== 'sqlite' && provider !== 'postgresql')
    return `changes can be logged on SQLite and PostgreSQL, and not on ${provider}. Leave it out.`
  if (!model?.isHidden)
    return 'the Prisma schema has no model Change with /// @hidden above it. Add it, as docs/live.md shows it.'
  const lacking = lackingColumns(model, columns, 'live.md')
  if (lacking !== null) return lacking
  const isNamed = Object.keys(columns).every((name) => model.columns[name]?.column === name)
  if (model.table !== 'Change' || !isNamed)
    return 'the triggers know Change by its own names. Remove @@map and @map from the model.'
  for (const option of ['keep', 'streamsPerCaller', 'streams', 'heartbeat'] as const)
    if (!(options[option] > 0 && options[option] < Infinity))
      return `${option} is ${options[option]}. Make it a number above 0.`
  if (options.heartbeat > longestHeartbeat)
    return `heartbeat is ${options.heartbeat}, and timers of Node take up to ${longestHeartbeat} seconds. Make it no more than that.`
  return null
}

const longestHeartbeat = Math.floor((2 ** 31 - 1) / 1000)

const columns = {
  id: 'BigInt',
  transaction: 'BigInt',
  at: 'DateTime',
  model: 'String',
  key: 'String',
  action: 'String',
  before: 'Json',
  after: 'Json',
  request: 'String',
  user: 'String',
}
