import type { Fallback, Telemetry } from '../request/telemetry.ts'
import type { Logger } from '../server/logger.ts'

/** Counts and logs each read and write that goes the slow way. */
export const reportFallbacks =
  (logger: Logger, telemetry: Telemetry | null) =>
  (fallback: Fallback): void => {
    telemetry?.fellBack?.(fallback)
    const { kind, model, reason } = fallback
    if (kind === 'read') logger.debug({ model, part: reason }, 'Read by Prisma, because SQL does not know a part of it')
    else logger.debug({ model, reason }, 'Written in a transaction, because one statement would not do')
  }
