import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Check, expectNone } from '../check.ts'
import { isTurnedAway, scoutOf } from '../scout.ts'
import { type Asker, askersOf, missingId, type Tested } from '../tested.ts'
import { askCollection } from './ask-collection.ts'
import { askLinks } from './ask-links.ts'
import { askMethods, askNegotiation, askNowhere } from './ask-negotiation.ts'
import { askRefusals } from './ask-refusals.ts'
import { askMissing, askResource } from './ask-resource.ts'
import { askWrites } from './ask-writes.ts'
import { type ConformanceWrites, expectWrites } from './conformance-writes.ts'
import { type Interview, interview } from './interview.ts'

/** How much `conformance` asks, and what it takes for granted. */
export interface ConformanceOptions {
  /** Relations in an include path; 1 by default, `Infinity` for as many as the server takes. */
  readonly depth?: number
  /** Resources of each type, of which every URL is asked for; 2 by default. */
  readonly rows?: number
  /** Links that are followed in each check, beside one of each kind: 25 by default, 0 for none at all. */
  readonly links?: number
  /** Statuses by which this application denies, beside 401 and 403: `[404]` where it denies as not found. */
  readonly denials?: readonly number[]
  /** Types of which no caller sees a resource, `profiles`. Other types without one fail: nothing of them is tested. */
  readonly unseen?: readonly string[]
  /** Writes as well: what is made is deleted again. Left out, it only reads, and sends what is refused. */
  readonly writes?: ConformanceWrites
}

/**
 * Checks that the application's servers answer as JSON:API says, about its own data: documents, statuses, headers and
 * links of every type, related resource and relationship; `include`, `fields`, `sort`, `filter` and `page`; media
 * types, methods and bad requests. It returns a check for each type and caller.
 *
 * @throws {Error} without servers or callers, and for writes by an unknown caller or of a type that no server creates.
 * A check throws an `AssertionError` with a line for each fault:
 * `GET /api/v1/posts as guest: data.0.links.self is missing`.
 *
 * @example
 * for (const check of conformance(tested)) test(check.name, check.run)
 */
export function conformance(tested: Tested, options: ConformanceOptions = {}): readonly Check[] {
  const askers = askersOf(tested)
  if (options.writes) expectWrites(askers, options.writes)
  const servers = [...new Set(askers.map(({ server }) => server))]
  return servers.flatMap((server) => {
    const own = askers.filter((asker) => asker.server === server)
    const schemas = [...server.schemas.byType.values()]
    return [
      { name: `${server.name} shows resources of every type to some caller`, run: () => expectSeen(own, options) },
      ...own.flatMap((asker) => [
        checkOf(asker, options, { what: 'media types and methods', ask: askAround(asker, askers) }),
        ...schemas.map((schema) =>
          checkOf(asker, options, { what: schema.type, ask: (each) => askType(each, { asker, schema, options }) }),
        ),
      ]),
      ...writesOf(own, options),
    ]
  })
}

interface Topic {
  readonly what: string
  ask(own: Interview): Promise<void>
}

function checkOf(asker: Asker, { denials = [] }: ConformanceOptions, { what, ask }: Topic): Check {
  const { server, caller } = asker
  return {
    name: `${server.name} answers ${caller} as JSON:API says: ${what}`,
    async run() {
      const own = interview(asker, [401, 403, ...denials])
      await ask(own)
      expectNone([...own.faults], `Not what JSON:API ${server.version} says`)
    },
  }
}

interface About {
  readonly asker: Asker
  readonly schema: ResourceSchema
  readonly options: ConformanceOptions
}

async function askType(own: Interview, { asker, schema, options }: About): Promise<void> {
  const { depth = 1, rows = 2, links = 25 } = options
  const ids = (await scoutOf([asker])).get(schema.type) ?? []
  await askCollection(own, schema, depth)
  for (const id of ids.slice(0, rows)) await askResource(own, schema, id)
  await askMissing(own, schema, { id: missingId(schema), isReadable: ids.length > 0 })
  await askRefusals(own, schema)
  await askLinks(own, links)
}

/** What has to do with no type in particular is asked of one that the caller may list. */
const askAround = (asker: Asker, askers: readonly Asker[]) => async (own: Interview) => {
  const { basePath, schemas } = asker.server
  const everywhere = askers.filter(({ caller }) => caller === asker.caller)
  if (await isTurnedAway(everywhere))
    own.note(
      { request: { method: 'GET', path: basePath } },
      'every answer is 401, so that nothing is tested as this caller. Its headers in `callers` may be wrong, or name nobody.',
    )
  await askNowhere(own)
  for (const type of schemas.byType.keys()) {
    await askMethods(own, `/${type}`)
    const { status } = await asker.ask({ method: 'GET', path: `${basePath}/${type}` })
    if (status === 200) return askNegotiation(own, `/${type}`)
  }
}

async function expectSeen(askers: readonly Asker[], { unseen = [] }: ConformanceOptions): Promise<void> {
  const seen = await scoutOf(askers)
  const missed = [...seen].filter(([type, ids]) => ids.length === 0 && !unseen.includes(type)).map(([type]) => type)
  const names = askers.map(({ caller }) => caller).join(', ')
  const cure = 'Add rows, or a caller who may see them, or name the type in conformance(…, { unseen }).'
  expectNone(
    missed.map((type) => `${type}: none of the callers (${names}) sees a resource, so little is tested. ${cure}`),
    'Types without resources',
  )
}

function writesOf(askers: readonly Asker[], options: ConformanceOptions): readonly Check[] {
  const { writes } = options
  return askers
    .filter(({ caller }) => caller === writes?.as)
    .flatMap((asker) =>
      Object.entries(writes?.make ?? {}).flatMap(([type, make]) => {
        const schema = asker.server.schemas.byType.get(type)
        if (!schema?.operations.has('create')) return []
        const adjusted = writes?.adjusted?.[type] ?? []
        const ask = (own: Interview) => askWrites(own, schema, { make: async () => make(asker.server.name), adjusted })
        return [checkOf(asker, options, { what: `writes of ${type}`, ask })]
      }),
    )
}
