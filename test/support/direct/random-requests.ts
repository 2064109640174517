import type { Caller, RowHead } from 'prismapi/types'
import { ofPage } from './two-fronts.ts'

/** A request, and the call that is the same. */
export interface DirectRequest {
  readonly http: { readonly method: string; readonly path: string; readonly body?: object }
  call(caller: Caller): Promise<{ readonly rows?: unknown; readonly meta?: unknown }>
}

type Random = () => number
type Fields = Readonly<Record<string, unknown>>

// Their names are chosen by chance, which types do not follow.
// biome-ignore lint/suspicious/noExplicitAny: models and fields that are chosen by chance
type Untyped = any

const types = { Post: 'posts', Comment: 'comments', Tag: 'tags', Profile: 'profiles', User: 'users', Video: 'videos' }
type Model = keyof typeof types

/** Queries that are right, and some that are not, as both fronts say them. */
const queries: Readonly<Partial<Record<Model, readonly (readonly [string, Fields])[]>>> = {
  Post: [
    ['', {}],
    ['filter[title][contains]=1&sort=-title,id', { filter: { title: { contains: '1' } }, sort: ['-title', 'id'] }],
    ['include=author,tags&filter[author]=3,4', { include: ['author', 'tags'], filter: { author: [3, 4] } }],
    ['include=comments&filter[tags.name]=news', { include: ['comments'], filter: { tags: { name: 'news' } } }],
    [
      'filter[or][0][slug]=post-7&filter[or][1][author.role]=ADMIN&sort=id',
      { filter: { or: [{ slug: 'post-7' }, { author: { role: 'ADMIN' } }] }, sort: 'id' },
    ],
    ['fields[posts]=title,author&include=author', { fields: { Post: ['title', 'author'] }, include: ['author'] }],
    ['filter[synopsis][isNull]=true&sort=-createdAt', { filter: { synopsis: null }, sort: '-createdAt' }],
    [
      'filter[author.email][contains]=a&sort=author.email',
      { filter: { author: { email: { contains: 'a' } } }, sort: 'author.email' },
    ],
    ['filter[nothing]=1&sort=none&include=nobody', { filter: { nothing: 1 }, sort: 'none', include: ['nobody'] }],
    ['filter[publishedAt][gt]=yesterday', { filter: { publishedAt: { gt: 'yesterday' } } }],
    ['page[size]=0', { page: { size: 0 } }],
  ],
  Comment: [
    ['', {}],
    ['include=author,commentable&sort=id', { include: ['author', 'commentable'], sort: 'id' }],
    ['filter[author]=4', { filter: { author: 4 } }],
  ],
  Tag: [
    ['', {}],
    ['include=posts&sort=-name', { include: ['posts'], sort: '-name' }],
    ['filter[name]=news,a\\, b', { filter: { name: ['news', 'a, b'] } }],
  ],
  Profile: [['include=user', { include: ['user'] }]],
  User: [
    ['', {}],
    ['sort=-id&filter[role]=MEMBER&include=profile', { sort: '-id', filter: { role: 'MEMBER' }, include: ['profile'] }],
    ['filter[email]=member3@example.com', { filter: { email: 'member3@example.com' } }],
  ],
  Video: [
    ['', {}],
    ['filter[rating][gte]=3&include=owner', { filter: { rating: { gte: 3 } }, include: ['owner'] }],
  ],
}

/** One request, of a kind that is drawn. `number` is another one for each. */
export function drawRequest(random: Random, number: number): DirectRequest {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const model = pick(Object.keys(types) as Model[])
  const type = types[model]
  const id =
    model === 'Video'
      ? `00000000-0000-4000-8000-00000000000${pick([1, 2, 9])}`
      : pick(['1', '2', '3', '4', '7', '25', '61', '62', '999', 'x'])
  const rows = async (row: Promise<unknown>) => ({ rows: (await row) ?? null })
  const none = async (done: Promise<unknown>) => {
    await done
    return { rows: null }
  }
  switch (
    pick([
      'list',
      'list',
      'find',
      'find',
      'create',
      'create',
      'update',
      'update',
      'delete',
      'link',
      'unlink',
      'act',
    ] as const)
  ) {
    case 'list': {
      const [search, query] = pick(queries[model] ?? [])
      return {
        http: { method: 'GET', path: `/${type}?${search.replaceAll('[', '%5B').replaceAll(']', '%5D')}` },
        call: async (caller) => ofPage((await caller.list(model, query as Untyped)) as Untyped),
      }
    }
    case 'find': {
      const include = model === 'Post' && random() < 0.5 ? ['author', 'tags'] : []
      const search = include.length > 0 ? `?include=${include.join()}` : ''
      const query = include.length > 0 ? { include } : {}
      return {
        http: { method: 'GET', path: `/${type}/${id}${search}` },
        call: (caller) => rows(caller.find(model, id, query as Untyped)),
      }
    }
    case 'create': {
      const fields = drawFields(model, pick, number)
      return {
        http: { method: 'POST', path: `/${type}`, body: { data: { type, ...documentOf(fields) } } },
        call: (caller) => rows(caller.create(model, fields as Untyped)),
      }
    }
    case 'update': {
      const fields = drawFields(model, pick, number, true)
      return {
        http: { method: 'PATCH', path: `/${type}/${id}`, body: { data: { type, id, ...documentOf(fields) } } },
        call: (caller) => rows(caller.update(model, id, fields as Untyped)),
      }
    }
    case 'delete':
      return { http: { method: 'DELETE', path: `/${type}/${id}` }, call: (caller) => none(caller.delete(model, id)) }
    case 'act':
      return {
        http: { method: 'POST', path: `/posts/${id}/-actions/publish`, body: { meta: {} } },
        call: async (caller) => ({ rows: (await caller.act('Post', id, 'publish')).data ?? null }),
      }
    case 'link':
    case 'unlink': {
      const relation = pick(['tags', 'tags', 'comments'] as const)
      const targets = pick([['1'], ['2', '3'], ['999'], []])
      const isLink = random() < 0.5
      const data = targets.map((each) => ({ type: relation, id: each }))
      return {
        http: { method: isLink ? 'POST' : 'DELETE', path: `/posts/${id}/relationships/${relation}`, body: { data } },
        call: (caller) =>
          none(isLink ? caller.link('Post', id, relation, targets) : caller.unlink('Post', id, relation, targets)),
      }
    }
  }
}

function drawFields(model: Model, pick: <T>(all: readonly T[]) => T, number: number, isUpdate = false): Fields {
  const wrong = pick([false, false, false, true])
  switch (model) {
    case 'Post':
      return {
        title: wrong ? '' : `Title ${number}`,
        ...(!isUpdate && { slug: wrong ? 'post-7' : `drawn-${number}` }),
        ...(!isUpdate && { body: 'Text' }),
        ...pick<Fields>([{}, { publishedAt: '2026-01-01T00:00:00Z' }, { synopsis: null }, { unknown: 1 }]),
        ...pick<Fields>([{}, {}, { tags: ['1', '2'] }, { author: '4' }, { tags: ['999'] }]),
      }
    case 'Comment':
      return {
        content: wrong ? '' : `Comment ${number}`,
        ...pick<Fields>([
          { commentable: { type: 'posts', id: '1' } },
          { commentable: { type: 'posts', id: '999' } },
          {},
        ]),
      }
    case 'Tag':
      return { name: wrong ? '' : `tag ${number}`, ...pick<Fields>([{}, { posts: ['1'] }]) }
    case 'Profile':
      return { bio: `Bio ${number}`, website: wrong ? 'none' : null }
    case 'User':
      return {
        name: `Name ${number}`,
        email: wrong ? 'member3@example.com' : `drawn${number}@example.com`,
        ...pick<Fields>([{}, { role: 'ADMIN' }]),
      }
    case 'Video':
      return { title: wrong ? '' : `Video ${number}`, rating: pick([null, 4.5, 9]) }
  }
}

const relations: Readonly<Record<string, string>> = { tags: 'tags', author: 'users', posts: 'posts' }

function documentOf(fields: Fields): object {
  const entries = Object.entries(fields)
  const isRelation = (name: string) => name in relations || name === 'commentable'
  const linked = ([name, value]: readonly [string, unknown]) => {
    const identifier = (id: unknown) => (typeof id === 'string' ? { type: relations[name], id } : (id as RowHead))
    return [name, { data: Array.isArray(value) ? value.map(identifier) : identifier(value) }]
  }
  return {
    attributes: Object.fromEntries(entries.filter(([name]) => !isRelation(name))),
    relationships: Object.fromEntries(entries.filter(([name]) => isRelation(name)).map(linked)),
  }
}
