import type { CompiledServer } from '@prismapi/core/server/compile'
import type { TestSource } from '../../target.ts'
import { type Check, expectNone } from '../check.ts'
import { sampleOf } from '../random.ts'
import { type Asker, askersOf, type Tested } from '../tested.ts'
import { type AskedActions, checkActions } from './actions.ts'
import { compareWrites, type DescribedWrite } from './compare-writes.ts'
import { compareFigures } from './figures.ts'
import { checkHidden, type HiddenThings } from './hidden.ts'
import { type ReadWorld, readWorld } from './hidden-world.ts'
import { movedByLinks } from './moved-by-links.ts'
import { comparePairs, oraclePairs } from './oracles.ts'
import { filterUrls, groupUrls, nearbyIncludeUrls, nearbyUrls, readingUrls, type Thoroughness } from './questions.ts'
import { compareTotals, countedFilterUrls, countedUrls } from './totals.ts'
import { compareValueWrites } from './value-writes.ts'
import { compareWithMissing, type Get, type Leak, type Walker, walk } from './walk.ts'

/** What is hidden, and how much `leaks` asks to find it. */
export interface LeakOptions extends HiddenThings {
  /** A Prisma client of the application's database. All rows are read, to know what would reveal the hidden ones. */
  readonly client: object | (() => object)
  /**
   * The same application over the same database without the hidden rows: then every answer must be the same, to the
   * byte. Left out, answers are searched for what only hidden rows have, totals and figures are compared with pages,
   * and filters by hidden ids, texts, numbers and dates must find the same as filters by a value that no row has. Only
   * this twin tests orders, `withCount`, Booleans, enums, lists, JSON, bytes, declared filters and values that the
   * application converts.
   */
  readonly without?: TestSource
  /**
   * True: visible rows are also linked with hidden and with missing ones, which the server has to refuse. If it does
   * not, or ignores the relation, the rows change. Rows with hidden values are sent back as they are, with these
   * values, and with others. Rows that the caller may not update are linked from the other side, in a check of its own.
   * Writes of hidden rows themselves are tested in any case.
   */
  readonly writes?: boolean
  /**
   * Custom actions that may be carried out, as `type.action`, each with `meta` of its request. Hidden ids are also sent
   * in the place of each member. Actions on hidden rows, and those by GET, are tested in any case.
   */
  readonly actions?: AskedActions
  /**
   * How many URLs each check picks at random: 300 by default, `Infinity` for all. URLs related to hidden rows are
   * always asked.
   */
  readonly sample?: number
  /** Picks others; 1 by default. */
  readonly seed?: number
}

/**
 * Checks that no answer reveals rows that a scope hides, or values that rules about fields hide: by resources,
 * identifiers, links, values, headers, totals, figures or what a filter finds; with `without`, by anything else, such
 * as the order; and that a hidden resource answers as one that never was, also to writes and custom actions. There are
 * four checks for each caller, and one more with `writes`.
 *
 * @throws {Error} for a model in `hidden` that does not exist, and for none.
 * @throws {AssertionError} from a check, with a line for each leak:
 * `GET /api/v1/tags?include=posts as guest: tells 9 at .data.0.relationships.posts.data.2.id`.
 *
 * @example
 * const hidden = { Post: { deletedAt: { not: null } } }
 * for (const check of leaks(tested, { client: prisma, hidden })) test(check.name, check.run)
 */
export function leaks(tested: Tested, options: LeakOptions): readonly Check[] {
  const { without, client, actions = {} } = options
  checkHidden('leaks', tested.resources, options)
  const askers = askersOf(tested)
  checkActions(
    askers.flatMap(({ server }) => [...server.schemas.byType.values()]),
    actions,
  )
  const twins = without === undefined ? [] : askersOf({ ...tested, app: without })
  const worlds = new Map<CompiledServer, Promise<ReadWorld>>()
  // The rows stay as they are, so that they are read once: by the first check that needs them.
  const read = (server: CompiledServer) => {
    const world = worlds.get(server) ?? readWorld(server, typeof client === 'function' ? client() : client, options)
    worlds.set(server, world)
    return world
  }
  return askers.flatMap((asker, i) =>
    checksOf({ asker, twin: twins[i] ?? null, read: () => read(asker.server) }, options),
  )
}

/** Every condition on fields, and one on each path across relations. */
const thorough: Thoroughness = [Infinity, 1, 1]
/** URLs that are asked for, until one is answered. */
const sightAtMost = 60
/** Mixtures of conditions. */
const groups = 150

interface Comparison {
  readonly asker: Asker
  /** The same caller where the hidden rows are not. */
  readonly twin: Asker | null
  read(): Promise<ReadWorld>
}

function checksOf(
  { asker, twin, read }: Comparison,
  { sample = 300, seed = 1, writes = false, actions = {}, client }: LeakOptions,
): readonly Check[] {
  const { server, caller } = asker
  const walker: Walker = { get: getOf(asker), ...(twin && { twin: getOf(twin) }) }
  const expectNoLeak = (leaks: readonly Leak[], what = 'Hidden rows are told of') =>
    expectNone(linesOf(asker, leaks), what)
  const tellNothing = (urlsOf: (world: ReadWorld) => readonly string[]) => async () => {
    const found = await read()
    expectNoLeak((await walk(found.world, urlsOf(found), walker)).leaks)
  }
  const countRight = async (urlsOf: typeof countedUrls) => {
    const found = await read()
    expectNoLeak(await compareTotals(found.world, urlsOf(found), walker.get))
  }
  const readNothing = tellNothing(({ world, near }) => [
    ...nearbyUrls(world, near),
    ...sampleOf([...nearbyIncludeUrls(world, near), ...readingUrls(world)], sample, seed),
  ])
  const reading = {
    name: `${server.name} tells ${caller} nothing of hidden rows: whatever is read`,
    async run() {
      await expectSight(asker, await read())
      await readNothing()
      await countRight(countedUrls)
      expectNoLeak(await compareFigures(await read(), walker.get))
    },
  }
  const filterNothing = tellNothing(({ world }) =>
    sampleOf([...filterUrls(world, thorough), ...groupUrls(world, groups, seed)], sample, seed),
  )
  const filtering = {
    name: `${server.name} tells ${caller} nothing of hidden rows: whatever is filtered by`,
    async run() {
      const { world } = await read()
      await expectSight(asker, await read())
      if (twin) return filterNothing()
      const all = oraclePairs(world)
      const others = all.filter(({ isNear }) => !isNear)
      const pairs = [...all.filter(({ isNear }) => isNear), ...sampleOf(others, sample, seed)]
      expectNoLeak(await comparePairs(server.basePath, pairs, walker.get))
      await countRight(countedFilterUrls)
    },
  }
  const missing = {
    name: `${server.name} answers ${caller} of hidden rows as of missing ones`,
    async run() {
      await expectSight(asker, await read())
      const { world } = await read()
      expectNoLeak(await compareWithMissing(world, walker.get, sample), 'Hidden rows are told from missing ones')
    },
  }
  const writing = {
    name: `${server.name} answers ${caller} who writes of hidden rows as of missing ones`,
    async run() {
      const found = await read()
      await expectSight(asker, found)
      const told = await compareWrites(found, { writes, actions }, { ask: asker.ask, sample })
      const ofValues = writes ? await compareValueWrites(found, asker.ask) : []
      expectNone(toldLines(asker, [...told, ...ofValues]), 'Hidden rows are told by writes and actions')
    },
  }
  const linking = {
    name: `${server.name} lets ${caller} change nothing by a link that ${caller} may not update`,
    async run() {
      const database = typeof client === 'function' ? client() : client
      const moved = await movedByLinks(await read(), { ask: asker.ask, client: database })
      expectNone(toldLines(asker, moved), 'Rows are changed by links')
    },
  }
  return [reading, filtering, missing, writing, ...(writes ? [linking] : [])]
}

/** A caller who is shown nothing is told of nothing: there has to be an answer of 200. */
async function expectSight(asker: Asker, { world, near }: ReadWorld): Promise<void> {
  const { server, caller } = asker
  const get = getOf(asker)
  for (const url of [...server.schemas.byType.keys()]
    .map((type) => `/${type}`)
    .concat(nearbyUrls(world, near), readingUrls(world).slice(0, sightAtMost)))
    if ((await get(server.basePath + url)).status === 200) return
  const blind = `${caller} was answered 200 by no URL of ${server.basePath}, so nothing is tested.`
  expectNone([blind], 'Nothing is seen')
}

const getOf =
  ({ ask }: Asker): Get =>
  (path) =>
    ask({ method: 'GET', path })

/** A line for each request. */
const toldLines = ({ caller }: Asker, told: readonly DescribedWrite[]): readonly string[] =>
  told.map(({ request: { method, path, body }, what }) => {
    const shown = body === undefined ? '' : ` ${body}`
    return `${method} ${decodeURIComponent(path)}${shown} as ${caller}: ${what}`
  })

/** What one answer tells, of all that it does. */
const toldAtMost = 2

/** A line for each URL, the simplest first. */
function linesOf({ server, caller }: Asker, leaks: readonly Leak[]): readonly string[] {
  const byUrl = new Map<string, string[]>()
  for (const { url, what } of [...leaks].sort((a, b) => a.url.length - b.url.length))
    byUrl.set(url, [...(byUrl.get(url) ?? []), what])
  return [...byUrl].map(([url, all]) => {
    const whats = [...new Set(all)]
    const more = whats.length > toldAtMost ? [`and ${whats.length - toldAtMost} more`] : []
    const told = [...whats.slice(0, toldAtMost), ...more].join('; ')
    return `GET ${server.basePath}${decodeURIComponent(url)} as ${caller}: ${told}`
  })
}
