import Koa from 'koa'
import {
  createApi,
  PagePagination,
  Policy,
  type Rules,
  Schema,
  Server,
  type ServerParts,
  type Serving,
  type User,
} from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'
import type { PrismaClient as Client } from '../../../prisma/generated/client/client.ts'
import { isPostgres, PrismaClient, resources } from './database.ts'
import { counting, database, listen, origin } from './process.ts'

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

const makeClient = (adapter: Adapter) => (queries.isOn ? counted(adapter) : new PrismaClient({ adapter }))
const options = queries.isOn ? { onQuery: () => queries.add() } : {}
const clients = isPostgres
  ? await postgresClients(makeClient, database(), options)
  : await sqliteClients(makeClient, `file:${database()}`, options)
const api = createApi({
  resources,
  clients,
  servers: [parts('bench', PostsInPages), parts('totals', PostsWithTotal), parts('cursor', PostsByCursor)],
  policies: new Map<string, typeof PostPolicy | typeof UserPolicy | typeof TagPolicy>([
    ['Post', PostPolicy],
    ['User', UserPolicy],
    ['Tag', TagPolicy],
  ]) as never,
  authenticate: () => caller,
  baseUrl: origin,
  logger: { debug() {}, info() {}, warn() {}, error: console.error },
})
listen(new Koa().use(api.middleware()).use(api.notFound()).callback(), queries.count)
