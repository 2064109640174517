import { emptyThrough } from '../auth/empty-through.ts'
import { shownThoughDenied } from '../auth/shown-though-denied.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { Logger } from '../server/logger.ts'

interface Started {
  readonly servers: readonly CompiledServer[]
  /** The types of which policies allow nothing to any user. */
  readonly denied: readonly string[]
  readonly logger: Logger
  /** Do cursors outlive the process. */
  readonly sealsForGood: boolean
}

/** Says what an application may not have meant, and what it runs without. */
export function warnAtStart({ servers, denied, logger, sealsForGood }: Started): void {
  if (denied.length > 0)
    logger.warn({ types: denied }, `Denied to everybody, for want of a policy: ${denied.join(', ')}`)
  for (const server of servers) {
    for (const surprise of [shownThoughDenied(server), emptyThrough(server)])
      if (surprise !== null) logger.warn({ server: server.name }, surprise)
  }
  if (!sealsForGood) warnOfCursors(servers, logger)
}

/** Cursors that stop working with the process are a surprise: to clients at a restart, and to all of them beside a second one. */
function warnOfCursors(servers: readonly CompiledServer[], logger: Logger): void {
  for (const { name, schemas } of servers) {
    const types = [...schemas.byType.values()]
      .filter(({ paginator }) => paginator?.sealsCursors)
      .map(({ type }) => type)
    if (types.length === 0) continue
    logger.warn(
      { server: name, types },
      `Cursors of ${types.join(', ')} are sealed with a key of this process alone. Pass createApi({ cursorSecret }) for them to outlive it.`,
    )
  }
}
