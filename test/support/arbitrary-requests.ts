import type { CompiledServer } from '@prismapi/core/server/compile'
import { eachOf } from '@prismapi/testing/internal/kit/each-of'
import { type RowIds, type Writing, writingEndpoints } from '@prismapi/testing/internal/kit/fuzz/arbitrary-documents'
import { anything } from '@prismapi/testing/internal/kit/fuzz/oddities'
import { answerFaults } from '@prismapi/testing/internal/kit/judges/answer-faults'
import { type Answer, send } from '@prismapi/testing/internal/send'
import { openTarget, type Target } from '@prismapi/testing/internal/target'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseNumber } from '../../scripts/number-option.ts'
import V1 from '../../src/app/v1/server.ts'
import { mediaType } from './api.ts'
import { openTestDatabase } from './database.ts'
import { isNight } from './night.ts'
import { videoId } from './seeded.ts'
import { type Database, exampleWith, type Running, startServers } from './servers.ts'

const runs = isNight ? 1000 : 200
/** Rows are counted before and after so many documents. */
const together = 40
// FC_SEED=<seed> runs again what has failed.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: Date.now() % 2 ** 31, from: 0 })

/** Rows of each type, of which the caller may write the first, where anybody may. */
const rows: RowIds = new Map([
  ['posts', ['1', '2', '3', '4']],
  ['comments', ['1', '2', '3', '4']],
  ['tags', ['2', '1', '3', '4']],
  ['videos', [videoId(1), videoId(2), videoId(3)]],
  ['users', ['4', '1', '2', '3']],
  ['profiles', ['1', '2', '3', '4']],
])

const tables = { users: 'User', profiles: 'Profile', posts: 'Post', tags: 'Tag', videos: 'Video', comments: 'Comment' }
const links = { postTags: '_PostToTag', videoTags: '_TagToVideo' }
const counting = Object.entries({ ...tables, ...links })
  .map(([name, table]) => `(SELECT COUNT(*) FROM "${table}") AS "${name}"`)
  .join(', ')

/**
 * Sends arbitrary documents to the endpoints of these types that write: each is done, or refused in good form, and nothing
 * else happens. A file for a few types, so that files run side by side.
 */
export function testArbitraryDocuments(types: readonly string[]): void {
  let database: Database
  let running: Running
  let target: Target

  beforeAll(async () => {
    console.info(`Arbitrary documents: FC_SEED=${seed}, ${runs} to each endpoint`)
    database = await openTestDatabase()
    const { reader, writer } = database
    // The one who may write the most: an administrator, who has written this comment.
    const user = await reader.user.findUniqueOrThrow({ where: { id: 1 } })
    await writer.comment.update({ where: { id: 1 }, data: { authorId: user.id } })
    running = await startServers(database, { ...(await exampleWith(V1)), authenticate: () => user })
    target = openTarget(running.at)
  })
  beforeAll(() => {
    // What is said at the start is about the server, and not about what is sent.
    running.logs.length = 0
  })
  afterAll(async () => {
    await running.close()
    await database.close()
  })

  const registry = () => (running.api.servers[0] as CompiledServer).schemas
  const schemas = () => [...registry().byType.values()]

  async function countRows(): Promise<Record<string, number>> {
    const [row] = await database.writer.$queryRawUnsafe<Record<string, bigint>[]>(`SELECT ${counting}`)
    return Object.fromEntries(Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]))
  }

  const headers = { Accept: mediaType, 'Content-Type': mediaType }

  async function checkAll({ method, path, creates }: Writing, bodies: readonly string[]): Promise<void> {
    const before = await countRows()
    const [server] = running.api.servers
    const answers: Answer[] = []
    const faults: string[] = []
    let unserved = 0
    const requests = bodies.map((body) => ({ method, path: `/api/v1${path}`, headers, body }))
    await eachOf(requests, async (request) => {
      const answer = await send(target, request)
      answers.push(answer)
      if (answer.status === 503) unserved++
      else
        for (const fault of answerFaults(server as CompiledServer, request, answer))
          faults.push(`${fault}: ${method} ${path} ${request.body} → ${answer.status} ${answer.text}`)
    })
    expect(faults).toEqual([])
    const done = answers.filter(({ status }) => status < 300).length
    const linked = done > 0 ? { postTags: expect.any(Number), videoTags: expect.any(Number) } : {}
    const created = creates === null ? {} : { [creates]: (before[creates] as number) + done }
    expect(await countRows()).toEqual({ ...before, ...linked, ...created })
    // On a busy machine, a row can be locked for longer than PostgreSQL waits, and a write meet others eight times: 503, and a warning.
    const isExpected = (log: (typeof running.logs)[number]) => /lock timeout|P2034/.test(JSON.stringify(log))
    const told = running.logs.splice(0).filter(({ level }) => level === 'error' || level === 'warn')
    expect(told.filter((log) => !isExpected(log))).toEqual([])
    expect(unserved).toBeLessThanOrEqual(told.length)
  }

  async function sendTo(endpoint: Writing): Promise<void> {
    const { documents } = endpoint
    const document = fc.oneof({ weight: 9, arbitrary: documents }, { weight: 1, arbitrary: anything })
    const text = document.map((value) => JSON.stringify(value))
    const bodies = fc.array(text, { minLength: together, maxLength: together })
    const property = fc.asyncProperty(bodies, (batch) => checkAll(endpoint, batch))
    // Forty documents at once are not made smaller: what fails among them may hang on the moment.
    await fc.assert(property, { seed, numRuns: Math.ceil(runs / together), endOnFailure: true })
  }

  test('every type is sent documents, here or in another file', () => {
    expect([...schemas().map(({ type }) => type)].sort()).toEqual([...rows.keys()].sort())
  })

  test.each(types)(
    'whatever is sent to write %s, or their relationships, is done or refused in good form',
    { timeout: 600_000 },
    async (type) => {
      const own = schemas()
        .filter((schema) => schema.type === type)
        .flatMap((schema) => writingEndpoints({ schemas: registry(), rows }, schema))
      expect(own.map(({ method }) => method).slice(0, 2)).toEqual(['POST', 'PATCH'])
      for (const endpoint of own) await sendTo(endpoint)
    },
  )
}
