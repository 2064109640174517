import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import type { PrismaClient as Client, Prisma } from '../../../../prisma/generated/client/client.ts'
import { type Asked, headOf } from '../asked.ts'
import { PrismaClient } from '../database.ts'
import { counting, database, isPostgres, origin } from '../process.ts'
import type { Sent, Work, Written } from './work.ts'

// By hand with Prisma Client: documents as values.

const adapter = isPostgres
  ? new PrismaPg({ connectionString: database() })
  : new PrismaBetterSqlite3({ url: `file:${database()}` })
export const queries = counting()
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

async function read(asked: Asked): Promise<object> {
  if (asked.id !== null)
    return one(asked.base, await prisma.post.findUniqueOrThrow({ where: { id: asked.id }, select: columns }))
  const [found, total] = await Promise.all([readPage(asked), asked.base === 'totals' ? prisma.post.count() : null])
  const posts = found.slice(0, asked.size)
  const { links, page } = headOf(asked, {
    ids: posts.map(({ id }) => id),
    hasMore: found.length > asked.size,
    total,
  })
  return {
    jsonapi: { version: '1.0' },
    links,
    meta: { page },
    data: posts.map((post) => resource(asked.base, 'posts', post)),
    ...(asked.isIncluding && { included: includedOf(asked.base, posts) }),
  }
}

async function change({ id }: Asked, { attributes, relationships }: Sent): Promise<Written> {
  const post = await (id === null
    ? prisma.post.create({
        data: { ...attributes, authorId: Number(relationships.author.data.id) },
        select: columns,
      })
    : prisma.post.update({ where: { id }, data: attributes, select: columns }))
  return { id: post.id, document: one('bench', post) }
}

const user = (id: number): Promise<unknown> =>
  prisma.user.findUniqueOrThrow({ where: { id }, select: { id: true, name: true, email: true, role: true } })

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

await prisma.$queryRaw`SELECT 1`
export const work: Work = { read, change, user }
