import { sizes } from './dataset.ts'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: string
  /** A bearer token; left out, nobody says who is asking. */
  readonly token?: string
}

export interface Workload {
  readonly key: string
  readonly name: string
  readonly isWrite: boolean
  /** Does it ask for pages beside a row? */
  readonly hasCursors: boolean
  /** The nth request of a run; the same for each server. */
  request(n: number): Request
}

const get = (path: string): Request => ({ method: 'GET', path })
// Spread over the whole, and the same in every run.
const spread = (n: number, count: number): number => (n * 7919) % count
const content = 'Written while others read. '.repeat(12)

const write = {
  post: (n: number, run: string): Request => ({
    method: 'POST',
    path: '/api/bench/posts',
    body: JSON.stringify({
      data: {
        type: 'posts',
        attributes: { title: `New ${n}`, slug: `new-${run}-${n}`, content },
        relationships: { author: { data: { type: 'users', id: '7' } } },
      },
    }),
  }),
  patch: (n: number): Request => {
    const id = String(1 + spread(n, sizes.posts))
    const attributes = { title: `Changed ${n}` }
    return {
      method: 'PATCH',
      path: `/api/bench/posts/${id}`,
      body: JSON.stringify({ data: { type: 'posts', id, attributes } }),
    }
  },
}

const page = (n: number): number => 1 + (n % 5)

/** The same reads while every twentieth request is a PATCH. */
export const withWrites = ({ request, ...workload }: Workload): Workload => ({
  ...workload,
  request: (n) => (n % 20 === 0 ? { ...request(n), ...write.patch(n) } : request(n)),
})

/** Reads a–e, h and i, writes f and g. `run` makes what is written new. */
export const workloads = (run: string): readonly Workload[] =>
  described(run).map((workload) => ({
    ...workload,
    isWrite: workload.request(0).method !== 'GET',
    hasCursors: workload.key === 'h',
  }))

const described = (run: string): readonly Omit<Workload, 'isWrite' | 'hasCursors'>[] => [
  { key: 'a', name: 'one post by id', request: (n) => get(`/api/bench/posts/${1 + spread(n, sizes.posts)}`) },
  {
    key: 'b',
    name: 'page of 20',
    request: (n) => get(`/api/bench/posts?page%5Bnumber%5D=${page(n)}&page%5Bsize%5D=20`),
  },
  {
    key: 'c',
    name: 'page of 20 + author + tags',
    request: (n) => get(`/api/bench/posts?include=author%2Ctags&page%5Bnumber%5D=${page(n)}&page%5Bsize%5D=20`),
  },
  {
    key: 'd',
    name: 'page of 20 + total',
    request: (n) => get(`/api/totals/posts?page%5Bnumber%5D=${page(n)}&page%5Bsize%5D=20`),
  },
  {
    key: 'e',
    name: 'filter by author, newest first',
    request: (n) => {
      const author = 1 + spread(n, sizes.users)
      return get(`/api/bench/posts?filter%5Bauthor%5D=${author}&page%5Bnumber%5D=1&page%5Bsize%5D=20&sort=-createdAt`)
    },
  },
  { key: 'f', name: 'POST', request: (n) => write.post(n, run) },
  { key: 'g', name: 'PATCH', request: (n) => write.patch(n) },
  {
    key: 'h',
    name: 'keyset, deep',
    request: (n) => get(`/api/cursor/posts?page%5Bafter%5D=${100 + spread(n, 900)}&page%5Blimit%5D=20`),
  },
  {
    key: 'i',
    name: 'pages 300 to 349 of 20',
    request: (n) => get(`/api/bench/posts?page%5Bnumber%5D=${300 + spread(n, 50)}&page%5Bsize%5D=20`),
  },
]

const params = (parts: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(parts).map(([name, value]): [string, string] => [name, String(value)])).toString()
const list = (base: string, parts: Readonly<Record<string, string | number>>): Request =>
  get(`/api/${base}/posts?${params(parts)}`)
const oneOf = (base: string) => (rank: number) => get(`/api/${base}/posts/${1 + spread(rank, sizes.posts)}`)
/** Pages of about a size: each of ten sizes. */
const numbered =
  (base: string, size: number, more: Readonly<Record<string, string | number>> = {}) =>
  (rank: number) => {
    const perPage = size + (rank % 10)
    const pages = Math.floor(sizes.posts / perPage)
    return list(base, { ...more, 'page[number]': 1 + (Math.floor(rank / 10) % pages), 'page[size]': perPage })
  }
const keyset = (size: number) => (rank: number) =>
  list('cursor', { 'page[after]': 100 + spread(rank, 9000), 'page[limit]': size })
const deep = (from: number) => (rank: number) =>
  list('bench', { 'page[number]': from + spread(rank, 50), 'page[size]': 10 + (Math.floor(rank / 50) % 10) })
const byAuthor =
  (size: number, more: Readonly<Record<string, string>> = {}) =>
  (rank: number) =>
    list('bench', {
      ...more,
      'filter[author]': 1 + spread(rank, sizes.users),
      'page[number]': 1,
      'page[size]': size + (Math.floor(rank / sizes.users) % 20),
      sort: '-createdAt',
    })
const related = { include: 'author,tags' }

/** Twenty kinds of reads: each asks for another URL by the rank of how often it is asked for. */
const kinds: readonly ((rank: number) => Request)[] = [
  ...[oneOf('bench'), oneOf('totals'), oneOf('cursor')],
  ...[
    numbered('bench', 6),
    numbered('bench', 16),
    numbered('bench', 40),
    numbered('bench', 20, { sort: '-createdAt' }),
  ],
  ...[numbered('totals', 6), numbered('totals', 16)],
  ...[numbered('bench', 3, related), numbered('bench', 16, related), numbered('totals', 6, related)],
  ...[byAuthor(3), byAuthor(16), byAuthor(6, related)],
  ...[keyset(5), keyset(20), keyset(50)],
  ...[deep(100), deep(300)],
]

const ranks = 10_000

/** A rank from 0 on: the second is drawn half as often as the first, the third a third as often. The same ones in every run. */
function zipf(n: number): number {
  const random = ((n * 2_654_435_761) % 4_294_967_296) / 4_294_967_296
  return Math.floor(ranks ** random) - 1
}

/** Reads of all kinds by turns, each with a token: a few URLs again and again, many once. */
export const mixed = (token: string): Workload => ({
  key: 'm',
  name: 'twenty kinds, by token',
  isWrite: false,
  hasCursors: true,
  request: (n) => {
    const kind = kinds[n % kinds.length] ?? oneOf('bench')
    return { ...kind(zipf(n)), token }
  },
})

/** The share of different URLs among so many requests. */
export const distinctShare = ({ request }: Workload, requests: number): number =>
  new Set(Array.from({ length: requests }, (_, n) => request(n).path)).size / requests
