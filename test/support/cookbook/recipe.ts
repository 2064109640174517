import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { NewProvider } from '@prismapi/cli/init/new-application'
import type Koa from 'koa'
import { afterAll, beforeAll, expect } from 'vitest'
import { keepAliveTimeout } from '../api.ts'
import { startApp } from '../app-process.ts'
import { openRecipeDatabase, type RecipeDatabase } from './database.ts'
import { follow, type SendOptions, sender } from './exchange.ts'
import { readRecipe } from './page.ts'
import { makeRecipeProject, type RecipeProject } from './project.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a page writes has whatever exports and models it has
type Anything = any

export interface RecipeOptions {
  /** The database of an application with models of its own; by default SQLite. */
  readonly provider?: NewProvider
  /** What the recipe's `createApp` is given beside what it has in the example. */
  readonly parts?: (load: (file: string) => Promise<Anything>) => object | Promise<object>
  /** What texts in the headers of the page's requests stand for, such as `<now>`. */
  readonly textsOf?: SendOptions['textsOf']
}

interface Asked {
  /** The e-mail address of the caller. */
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const secret = 'the secret of the cookbook, which is long enough'
const origin = 'http://127.0.0.1:3000'

/**
 * The application that a page of the cookbook describes, made of the page itself, on a free port and with a database of its
 * own. For the tests of one file.
 */
export function useRecipe(
  name: string,
  { provider = 'sqlite', parts = () => ({}), textsOf = () => ({}) }: RecipeOptions = {},
) {
  const page = readRecipe(name, provider)
  const errors: unknown[] = []
  let project: RecipeProject
  let database: RecipeDatabase
  let server: Server
  let given: Anything

  const load = (file: string): Promise<Anything> => import(path.join(project.folder, file))
  const db = (): Anything => database.writer
  const tokenOf = async (email: string): Promise<string> => {
    const { signToken } = await load('src/app/auth.ts')
    const { id } = await db().user.findUniqueOrThrow({ where: { email } })
    return signToken(id, secret)
  }
  const url = (at: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${at}`
  const send = sender({ url, tokenOf, textsOf })

  beforeAll(async () => {
    project = await makeRecipeProject(page, provider)
    database = await openRecipeDatabase(project, page, provider)
    for (const statement of page.statements) await db().$executeRawUnsafe(statement)
    const error = ({ err }: { err?: unknown }) => void errors.push(err)
    const logger = { debug() {}, info() {}, warn() {}, error }
    const env = { authSecret: secret, production: true }
    given = { env, baseUrl: origin, clients: database, logger, ...(await parts(load)) }
    const { createApp } = await load('src/app/app.ts')
    const app: Koa = await createApp(given)
    server = createServer({ keepAliveTimeout }, app.callback())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server?.closeAllConnections()
    if (server) await new Promise((resolve) => server.close(resolve))
    await database?.close()
    project?.remove()
    // No page shows a 500, nor work after a commit that fails.
    expect(errors).toEqual([])
  })

  return {
    /** What tsc says of the page's files. */
    compile: () => project.compile(),
    /** What the page shows, and what was answered. `before` does what happens between two of its requests. */
    follow: (before?: () => Promise<unknown>) => follow(page.exchanges, send, before),
    /** `ask('GET /api/v1/posts', { as: 'ann@example.com' })` */
    ask(start: string, { as, body, headers = {} }: Asked = {}) {
      const type = body === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' }
      const caller = as === undefined ? {} : { Authorization: `Bearer <${as}>` }
      const all = Object.entries({ ...type, ...caller, ...headers })
      return send({ start, headers: all, body: body === undefined ? '' : JSON.stringify(body) })
    },
    /** What stands in the block of that name on the page. */
    shown(as: string): string {
      const text = page.named.get(as)
      if (text === undefined) throw new Error(`docs/cookbook/${name}.md: no block has as=${as}.`)
      return text
    },
    /** A module of the recipe. */
    load,
    url,
    tokenOf,
    /** Prisma Client of the recipe, to arrange rows and to look at what was written. */
    get db() {
      return db()
    },
    /** What the application was made of. */
    get parts() {
      return given
    },
    get folder() {
      return project.folder
    },
    /** A program of the recipe, in a process of its own over the same database: `start('src/app/jobs/nightly.ts')`. */
    start: (program: string, ...args: readonly string[]) =>
      startApp({ DATABASE_URL: database.url ?? '', AUTH_SECRET: secret }, program, project.folder, args),
  }
}
