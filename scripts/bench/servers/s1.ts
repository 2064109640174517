import Router from '@koa/router'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import Koa, { type Context } from 'koa'
import { koaBody } from 'koa-body'
import type { PrismaClient as Client, Prisma } from '../../../prisma/generated/client/client.ts'
import { type Asked, headOf, readUrl } from './asked.ts'
import { isPostgres, PrismaClient } from './database.ts'
import { counting, database, listen, origin } from './process.ts'
import { findUser, hasTokens, verify } from './tokens.ts'

// What a good engineer writes by hand: Koa, Prisma Client, JSON.stringify; no authorization, no negotiation.

const adapter = isPostgres
  ? new PrismaPg({ connectionString: database() })
  : new PrismaBetterSqlite3({ url: `file:${database()}` })
const queries = counting()
const prisma = queries.isOn ? counted(adapter) : new PrismaClient({ adapter })

function counted(adapter: PrismaBetterSqlite3 | PrismaPg): Client {
  const client = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] })
  client.$on('query', () => queries.add())
  return client as unknown as Client
}

const columns = {
  id: true,
  title: true,
  slug: true,
  content: true,
  synopsis: true,
  publishedAt: true,
  createdAt: true,
  updatedAt: true,
} satisfies Prisma.PostSelect
const authorColumns = { id: true, name: true, email: true, role: true, createdAt: true, updatedAt: true } as const
const related = {
  author: { select: authorColumns },
  tags: { select: { id: true, name: true }, orderBy: { id: 'asc' } },
} satisfies Prisma.PostSelect
const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.PostOrderByWithRelationInput[]

type Post = Prisma.PostGetPayload<{ select: typeof columns }>
type Linked = Post & Partial<Prisma.PostGetPayload<{ select: typeof related }>>

const router = new Router()

router.get('/api/:base/posts/:id', async (ctx) => {
  const asked = readUrl(ctx.url)
  const post = await prisma.post.findUniqueOrThrow({ where: { id: asked.id ?? 0 }, select: columns })
  answer(ctx, 200, one(asked.base, post))
})

router.get('/api/:base/posts', async (ctx) => {
  const asked = readUrl(ctx.url)
  const [found, total] = await Promise.all([readPage(asked), asked.base === 'totals' ? prisma.post.count() : null])
  const posts = found.slice(0, asked.size)
  const { links, page } = headOf(asked, {
    ids: posts.map(({ id }) => id),
    hasMore: found.length > asked.size,
    total,
  })
  answer(ctx, 200, {
    jsonapi: { version: '1.0' },
    links,
    meta: { page },
    data: posts.map((post) => resource(asked.base, 'posts', post)),
    ...(asked.isIncluding && { included: includedOf(asked.base, posts) }),
  })
})

router.post('/api/:base/posts', async (ctx) => {
  const { attributes, relationships } = sentIn(ctx)
  const post = await prisma.post.create({
    data: { ...attributes, authorId: Number(relationships.author.data.id) },
    select: columns,
  })
  ctx.set('Location', `${origin}/api/bench/posts/${post.id}`)
  answer(ctx, 201, one('bench', post))
})

router.patch('/api/:base/posts/:id', async (ctx) => {
  const { attributes } = sentIn(ctx)
  const post = await prisma.post.update({ where: { id: Number(ctx.params.id) }, data: attributes, select: columns })
  answer(ctx, 200, one('bench', post))
})

interface Sent {
  readonly attributes: Prisma.PostUncheckedCreateInput
  readonly relationships: { readonly author: { readonly data: { readonly id: string } } }
}

const sentIn = (ctx: Context): Sent => (ctx.request.body as unknown as { readonly data: Sent }).data

async function readPage({ base, after, author, number, size, isIncluding }: Asked): Promise<Linked[]> {
  // Prisma's cursor compares in the database: an instant that another program wrote is not as Prisma would spell it in a condition.
  if (base === 'cursor')
    return prisma.post.findMany({
      cursor: { id: after ?? 0 },
      skip: 1,
      orderBy: newestFirst,
      take: size + 1,
      select: columns,
    })
  return prisma.post.findMany({
    ...(author !== null && { where: { authorId: author } }),
    orderBy: newestFirst,
    skip: (number - 1) * size,
    take: size + 1,
    select: isIncluding ? { ...columns, ...related } : columns,
  })
}

const relations = {
  posts: ['author', 'tags', 'comments'],
  users: ['posts', 'comments', 'videos', 'profile'],
  tags: ['posts', 'videos'],
} as const

type Type = keyof typeof relations

function resource(base: string, type: Type, { id, author, tags, ...attributes }: Record<string, unknown>) {
  const self = `${origin}/api/${base}/${type}/${id}`
  const linkage: Record<string, unknown> = {
    author: author && { type: 'users', id: String((author as { id: number }).id) },
    tags: tags && (tags as { id: number }[]).map((tag) => ({ type: 'tags', id: String(tag.id) })),
  }
  const relationships = relations[type].map((name) => {
    const links = { self: `${self}/relationships/${name}`, related: `${self}/${name}` }
    return [name, linkage[name] ? { links, data: linkage[name] } : { links }]
  })
  return { type, id: String(id), attributes, relationships: Object.fromEntries(relationships), links: { self } }
}

const one = (base: string, post: Post) => ({
  jsonapi: { version: '1.0' },
  links: { self: `${origin}/api/${base}/posts/${post.id}` },
  data: resource(base, 'posts', post),
})

function includedOf(base: string, posts: readonly Linked[]): unknown[] {
  const found = new Map<string, unknown>()
  for (const { author, tags = [] } of posts) {
    if (author && !found.has(`u${author.id}`)) found.set(`u${author.id}`, resource(base, 'users', author))
    for (const tag of tags) if (!found.has(`t${tag.id}`)) found.set(`t${tag.id}`, resource(base, 'tags', tag))
  }
  return [...found.values()]
}

function answer(ctx: Context, status: number, document: object): void {
  ctx.status = status
  ctx.set('Content-Type', 'application/vnd.api+json')
  ctx.body = JSON.stringify(document)
}

async function authenticate(ctx: Context, next: () => Promise<void>): Promise<void> {
  const { sub } = await verify((ctx.headers.authorization ?? '').slice('Bearer '.length))
  ctx.state.user = await findUser(prisma as Client, Number(sub))
  await next()
}

const parseBody = koaBody({ jsonTypes: ['application/vnd.api+json'] } as never)
await prisma.$queryRaw`SELECT 1`
const app = new Koa()
if (hasTokens) app.use(authenticate)
listen(app.use(parseBody).use(router.routes()).callback(), queries)
