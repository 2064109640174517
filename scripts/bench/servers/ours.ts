import Koa, { type Context } from 'koa'
import {
  bearerToken,
  createApi,
  keepTokens,
  PagePagination,
  Policy,
  type Rules,
  Schema,
  Server,
  type Serving,
  type User,
} from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'
import type { ServerParts } from 'prismapi/types'
import type { PrismaClient as Client } from '../../../prisma/generated/client/client.ts'
import { PrismaClient, resources } from './database.ts'
import { counting, database, isPostgres, listen, origin } from './process.ts'
import { hasTokens, verify } from './tokens.ts'

// prismapi as its users run it: a scope, policies with conditions that lists are narrowed by, negotiation, links, meta.

const caller: User = { id: 7, name: 'User 7', email: 'user7@example.com', role: 'MEMBER' }

class Posts extends Schema<'Post'> {
  override fields() {
    return [this.attribute('deletedAt').hidden()]
  }

  override pagination(): PagePagination | CursorPagination {
    return new PagePagination().withSimplePagination()
  }
}

class PostsInPages extends Posts {
  override readonly defaultSort = '-createdAt'
}

class PostsWithTotal extends PostsInPages {
  override pagination() {
    return new PagePagination()
  }
}

class PostsByCursor extends Posts {
  override pagination() {
    return new CursorPagination()
  }
}

class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can('viewAny')
    can(['view', 'viewAuthor', 'viewTags'], { publishedAt: { not: null } })
    if (!user) return
    can(['view', 'viewAuthor', 'viewTags'], { authorId: user.id })
    can('create')
    can('update', { authorId: { gte: 1 } })
  }
}

/** The same with one rule about a field: it is seen of some rows, and of others not. */
class MaskedPostPolicy extends PostPolicy {
  override abilities(rules: Rules<'Post'>, user: User | null) {
    super.abilities(rules, user)
    rules.cannot('view', 'synopsis', { authorId: { gte: 100 } })
  }
}

class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>) {
    can(this.reads)
  }
}

class TagPolicy extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>) {
    can(this.reads)
  }
}

function parts(serverName: string, schema: typeof Posts): ServerParts {
  class Bench extends Server {
    override readonly name = serverName
    override readonly reads = process.argv[3] === 'prisma' ? 'prisma' : 'auto'
    override readonly viewAnyByView = true

    override serving(phase: Serving) {
      phase.scope('Post', { deletedAt: null })
    }
  }
  return { server: Bench, schemas: new Map([['Post', schema]]), authorizers: new Map(), requests: new Map() }
}

const queries = counting()

type Adapter = NonNullable<ConstructorParameters<typeof PrismaClient>[0]['adapter']>

function counted(adapter: Adapter): Client {
  const client = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] })
  client.$on('query', () => queries.add())
  return client as unknown as Client
}

// Nothing else is logged at this level.
function tellFallback({ model, part, reason }: object & { model?: string; part?: string; reason?: string }): void {
  if (queries.isOn) queries.fellBack(`${part === undefined ? 'write' : 'read'} ${model}: ${part ?? reason}`)
}

const makeClient = (adapter: Adapter) => (queries.isOn ? counted(adapter) : new PrismaClient({ adapter }))
const options = queries.isOn ? { onQuery: () => queries.add() } : {}
const isGuarded = process.argv.includes('guarded')
if (isGuarded) {
  // What was built does not have it.
  const { guard } = await import('./guard.ts')
  const trusted = await postgresClients(makeClient, database())
  await guard(database(), apiOf(trusted))
  await trusted.close()
}
const clients = isPostgres
  ? await postgresClients(makeClient, database(), { ...options, guarded: isGuarded })
  : await sqliteClients(makeClient, `file:${database()}`, options)

function apiOf(clients: Parameters<typeof createApi>[0]['clients']) {
  return createApi({
    resources,
    clients,
    servers: [parts('bench', PostsInPages), parts('totals', PostsWithTotal), parts('cursor', PostsByCursor)],
    policies: new Map<string, typeof PostPolicy | typeof UserPolicy | typeof TagPolicy>([
      ['Post', process.argv.includes('masked') ? MaskedPostPolicy : PostPolicy],
      ['User', UserPolicy],
      ['Tag', TagPolicy],
    ]) as never,
    authenticate: hasTokens ? userOfToken : () => caller,
    baseUrl: origin,
    keptAnswers: process.argv.includes('kept') ? {} : false,
    logger: { debug: tellFallback, info() {}, warn() {}, error: console.error },
  })
}

async function userOfToken(ctx: Context): Promise<User> {
  const id = await userId(bearerToken(ctx) ?? '')
  return (clients.reader as Client).user.findUniqueOrThrow({
    where: { id: id ?? 0 },
    select: { id: true, name: true, email: true, role: true },
  })
}

const userId = keepTokens(async (token) => {
  const { sub, exp = 0 } = await verify(token)
  return { said: Number(sub), exp }
})
const api = apiOf(clients)
listen(new Koa().use(api.middleware()).use(api.notFound()).callback(), queries)
