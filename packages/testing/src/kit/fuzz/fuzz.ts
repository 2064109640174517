import type { CompiledServer } from '@prismapi/core/server/compile'
import { type Check, expectNone } from '../check.ts'
import { scoutOf } from '../scout.ts'
import { type Asker, askersOf, type Tested } from '../tested.ts'
import type { FuzzedPart } from './property.ts'
import { shownTo, strangerFaults } from './shown.ts'

/** What `fuzz` sends, and how much of it. */
export interface FuzzOptions {
  /** Sends the same requests again, while the rows are the same. A failure names it. By default, it is random. */
  readonly seed?: number
  /** Requests to each endpoint; 25 by default. */
  readonly runs?: number
  /**
   * True: sends POST, PATCH, DELETE and actions as well. Use a database that may be lost, and services that send no
   * mail. By default, it only reads.
   */
  readonly writes?: boolean
  /** Resources that it never deletes, and changes only if there is no other: `users/1`, which identifies a caller. */
  readonly keep?: readonly string[]
}

/**
 * Checks that every answer has good form: random URLs and documents, nearly right or not at all, never get 5xx, a
 * document that JSON:API does not know, or an error that reveals internals. Most queries are right for their endpoint.
 * Needs the package `fast-check`, which finds the smallest request that fails.
 *
 * @throws {AssertionError} from a check, with that request, the answer and the seed; and where collections answer a
 * caller with headers, or everybody, only by 401.
 *
 * @example
 * for (const check of fuzz(tested, { runs: 100 })) test(check.name, check.run)
 */
export function fuzz(tested: Tested, options: FuzzOptions = {}): readonly Check[] {
  const askers = askersOf(tested)
  const { seed = Date.now() % 2 ** 31 } = options
  const servers = [...new Set(askers.map(({ server }) => server))]
  return servers.flatMap((server) => {
    const own = askers.filter((asker) => asker.server === server)
    return partsOf(server, options).map((part) => ({
      name: `${server.name} answers whatever is asked in good form: ${nameOf(part)}`,
      run: () => fuzzPart({ askers: own, part }, { ...options, seed }),
    }))
  })
}

const nameOf = (part: FuzzedPart): string => ('type' in part ? `${part.kind} of ${part.type}` : part.kind)

function partsOf({ schemas, version }: CompiledServer, { writes = false }: FuzzOptions): readonly FuzzedPart[] {
  const kinds = writes ? (['reads', 'writes'] as const) : (['reads'] as const)
  return [
    ...[...schemas.byType.keys()].flatMap((type) => kinds.map((kind) => ({ kind, type }))),
    { kind: 'pages' },
    ...(writes && version === '1.1' ? [{ kind: 'operations' } as const] : []),
  ]
}

interface Part {
  /** Of one server. */
  readonly askers: readonly Asker[]
  readonly part: FuzzedPart
}

async function fuzzPart({ askers, part }: Part, options: FuzzOptions & { readonly seed: number }): Promise<void> {
  const { seed, runs = 25, keep = [] } = options
  const { fuzzFaults } = await import('./property.ts').catch(withoutFastCheck)
  const { server } = askers[0] as Asker
  const kept = new Set(keep)
  const rows = new Map(
    [...(await scoutOf(askers))].map(([type, ids]) => [type, withLast(ids, (id) => kept.has(`${type}/${id}`))]),
  )
  const shown = await shownTo(askers)
  expectNone(await strangerFaults(shown, askers), 'Nothing is seen')
  const faults = await fuzzFaults({ grounds: { server, rows, keep: kept, shown }, part, askers, seed, runs })
  expectNone(faults, `Not answered in good form; fuzz(…, { seed: ${seed} }) asks the same again`)
}

function withoutFastCheck(cause: unknown): never {
  if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
  throw new Error('fuzz(): fast-check is not installed. Run "npm install --save-dev fast-check".', { cause })
}

/** Those last that had better not be touched. */
const withLast = (ids: readonly string[], isLast: (id: string) => boolean): readonly string[] => [
  ...ids.filter((id) => !isLast(id)),
  ...ids.filter(isLast),
]
