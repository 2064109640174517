import type { Callers, Check, Tested } from '@prismapi/testing/kit'
import Koa, { type Middleware } from 'koa'
import { type ApiOptions, createApi } from 'prismapi'
import { afterAll, beforeAll } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { authenticator, signToken } from '../../src/app/auth.ts'
import { origin, users } from './api.ts'
import { openTestDatabase } from './database.ts'
import { fencesOf } from './documentation/fences.ts'
import { hiddenFields } from './hidden-fields.ts'
import { type Database, theExample } from './servers.ts'

// Applications for the kit: the example, and what can be wrong with it.

const authSecret = 'the secret of the tests, which is long enough'
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const bearer = (id: number) => async () => ({ Authorization: `Bearer ${await signToken(id, authSecret)}` })

/** Who asks, unless a test says otherwise. */
export const callers: Callers = { guest: {}, member: bearer(users.member3), admin: bearer(users.admin) }

interface Own {
  /** The example's, if it is not said. */
  readonly parts?: Pick<ApiOptions, 'servers' | 'policies'>
  /** Stands before everything else. */
  readonly before?: Middleware
  /** Changes the database, before anything is asked. */
  readonly prepare?: (db: Database['writer']) => Promise<void>
  readonly callers?: Callers
}

const example = await theExample()

/** An application as the kit is told of it, over a database of its own. */
export function useTested({ parts = example, before, prepare, callers: own = callers }: Own = {}) {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase()
    await prepare?.(database.writer)
  })
  afterAll(() => database.close())
  const app = () => {
    const authenticate = authenticator(database.reader, authSecret)
    const given = {
      resources,
      clients: database,
      baseUrl: origin,
      authenticate,
      logger: silent,
      cursorSecret: authSecret,
    }
    const api = createApi({ ...given, ...parts })
    const koa = new Koa().on('error', () => {})
    if (before) koa.use(before)
    return koa.use(api.middleware()).use(api.notFound())
  }
  const tested: Tested = { resources, servers: parts.servers, app, callers: own, hiddenFields }
  return { tested, client: () => database.writer }
}

/** What the check with this name throws: what a reader sees. */
export async function failureOf(checks: readonly Check[], name: string): Promise<string> {
  const check = checks.find((each) => each.name === name)
  if (!check) throw new Error(`${name}: no such check. There are:\n${checks.map((each) => each.name).join('\n')}`)
  try {
    await check.run()
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing failed'
}

/** The lines that a page shows of a failure, by the test of `test/exhaustive/kit/` that it names. */
export function shownBy(page: string, test: string): readonly string[] {
  const [fence] = fencesOf(page).filter(({ says }) => says.test === `test/exhaustive/kit/${test}.test.ts`)
  return (fence?.code ?? '').trimEnd().split('\n')
}
