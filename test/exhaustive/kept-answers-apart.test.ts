import { randomFrom } from '@prismapi/testing/internal/kit/random'
import { type ModelName, Policy, type Rules, Server, type Serving } from 'prismapi'
import type { PolicyClass } from 'prismapi/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseNumber } from '../../scripts/number-option.ts'
import { openTestDatabase, provider } from '../support/database.ts'
import { keptCounter } from '../support/kept-answers.ts'
import { isNight } from '../support/night.ts'
import { randomQueries, urlOf } from '../support/price/random-queries.ts'
import { samplesOf } from '../support/price/samples.ts'
import { plain, type Running, startServers } from '../support/servers.ts'

// Callers who have the same rules share answers, and each of them has scopes of their own: nobody is told what is another one's. Rules,
// scopes and servers are drawn anew, and a server that keeps nothing says what is right.

// FC_SEED draws others, and repeats a run.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: 1, from: 0 })
const applications = isNight ? 40 : 5
const questions = 250

const models: readonly ModelName[] = ['User', 'Post', 'Tag', 'Video', 'Comment', 'Profile']
const callers = [null, 1, 2, 3, 4] as const
const fields: Readonly<Partial<Record<ModelName, readonly string[]>>> = {
  User: ['email', 'name', 'posts', 'profile'],
  Post: ['title', 'author', 'tags', 'comments'],
  Tag: ['name', 'posts'],
  Video: ['title', 'owner', 'tags'],
  Comment: ['content', 'author', 'post'],
  Profile: ['bio', 'user'],
}
/** Each leads through a relation, or to one. */
const fixedPaths = [
  ...['posts/1', 'posts/2/author', 'posts/1/relationships/tags', 'tags/1/posts', 'tags/1?include=posts.author'],
  ...['posts/3/author?include=posts,profile', 'comments?sort=author.name', 'posts?filter[author.name][contains]=e'],
  ...['users?filter[posts.tags.name][contains]=a', 'posts?withCount=comments', 'videos?include=owner.profile,tags'],
].map((path) => `/api/v1/${path}`)

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

type Random = ReturnType<typeof drawing>

function drawing(of: number) {
  const random = randomFrom(of)
  const below = (most: number) => Math.floor(random() * most)
  return {
    below,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    chance: (one: number) => below(one) === 0,
  }
}

function conditionOn(model: ModelName, { below, pick }: Random): object {
  if (model === 'Video')
    return pick([{ durationSeconds: { gt: below(500) } }, { owner: { is: { id: { gt: below(4) } } } }])
  const through: Partial<Record<ModelName, string>> = { Post: 'author', Comment: 'post' }
  const relation = through[model]
  const own = [{ id: { gt: below(20) } }, { id: { lt: below(30) } }, { id: -1 }, { id: { in: [1, 2, 3, below(9)] } }]
  return pick(relation ? [...own, { [relation]: { is: { id: { gt: below(4) } } } }] : own)
}

/** The same rules for everybody. */
function policyOf(model: ModelName, random: Random): PolicyClass {
  const { pick, chance } = random
  const field = () => [pick(fields[model] ?? [])]
  const hidden = chance(3) ? conditionOn(model, random) : null
  const unseen = chance(3) ? field() : null
  const veiled = chance(4) ? ([field(), conditionOn(model, random)] as const) : null
  return class extends Policy {
    override abilities({ can, cannot }: Rules<ModelName>) {
      can(this.reads)
      if (hidden) cannot('view', hidden as never)
      if (unseen) cannot('view', unseen as never)
      if (veiled) cannot('view', veiled[0] as never, veiled[1] as never)
    }
  } as PolicyClass
}

function application(random: Random) {
  const { pick, chance } = random
  const scopes = new Map(
    callers.map((id) => [
      id,
      models.filter(() => chance(4)).map((model) => [model, conditionOn(model, random)] as const),
    ]),
  )
  const flags = { everywhere: chance(3), byView: chance(3), version: pick(['1.0', '1.1'] as const) }
  class Own extends Server {
    override readonly name = 'v1'
    override readonly models = models
    override readonly viewEverywhere = flags.everywhere
    override readonly viewAnyByView = flags.byView
    override readonly version = flags.version

    override serving(phase: Serving): void {
      const id = phase.user === null ? null : (phase.user.id as (typeof callers)[number])
      for (const [model, where] of scopes.get(id) ?? []) phase.scope(model, where)
    }
  }
  // Some types have no policy.
  const policies = new Map(models.filter(() => !chance(9)).map((model) => [model, policyOf(model, random)]))
  return { servers: [plain(Own)], policies }
}

async function told(running: Running, caller: number | null, path: string) {
  const { status, headers, text } = await running.as(caller)('GET', path)
  return { path, caller, status, text, headers: [...headers].filter(([name]) => name !== 'date') }
}

test('callers with the same rules and other scopes are told what is theirs', async () => {
  console.info(`Kept answers apart: FC_SEED=${seed}`)
  const { writer } = database
  let found = 0
  for (let nth = 0; nth < applications; nth++) {
    const random = drawing(seed * 1000 + nth)
    const { below, pick, chance } = random
    const parts = application(random)
    const { counts, telemetry } = keptCounter()
    const keeping = await startServers(database, { ...parts, telemetry })
    const other = await startServers(database, { ...parts, keptAnswers: false })
    try {
      const [server] = keeping.api.servers
      if (!server) throw new Error('There is a server.')
      const drawn = randomQueries(server, await samplesOf(server, writer), seed + nth)
      const paths = [...fixedPaths, ...Array.from({ length: 9 }, () => urlOf(server, drawn.next()))]
      for (let n = 0; n < questions; n++) {
        if (chance(50))
          await writer.post.update({ where: { id: 1 + below(20) }, data: { title: `T ${n}`, authorId: 1 + below(4) } })
        // Few are asked often.
        const [caller, path] = [pick(callers), paths[Math.min(below(paths.length), below(paths.length))] as string]
        const expected = await told(other, caller, path)
        expect(await told(keeping, caller, path), `FC_SEED=${seed}`).toEqual(expected)
      }
    } finally {
      await keeping.close()
      await other.close()
    }
    found += counts.found
  }
  // PostgreSQL counts the transactions of all its databases together, those of other tests among them.
  if (provider === 'sqlite') expect(found).toBeGreaterThan(applications * 10)
})
