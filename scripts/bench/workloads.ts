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
  request: (n) => (n % 20 === 0 ? write.patch(n) : request(n)),
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
const numbered =
  (base: string, size: number, more: Readonly<Record<string, string | number>> = {}) =>
  (n: number) =>
    list(base, { ...more, 'page[number]': page(n), 'page[size]': size })
const oneOf = (base: string) => (n: number) => get(`/api/${base}/posts/${1 + spread(n, sizes.posts)}`)
const keyset = (size: number) => (n: number) =>
  list('cursor', { 'page[after]': 100 + spread(n, 900), 'page[limit]': size })
const deep = (from: number) => (n: number) => list('bench', { 'page[number]': from + spread(n, 50), 'page[size]': 20 })
const byAuthor =
  (size: number, more: Readonly<Record<string, string>> = {}) =>
  (n: number) =>
    list('bench', {
      ...more,
      ...{ 'filter[author]': 1 + spread(n, sizes.users), 'page[number]': 1, 'page[size]': size, sort: '-createdAt' },
    })
const related = { include: 'author,tags' }

/** Twenty kinds of requests, one of them a write. */
const kinds: readonly ((n: number) => Request)[] = [
  write.patch,
  ...[oneOf('bench'), oneOf('totals'), oneOf('cursor')],
  ...[numbered('bench', 10), numbered('bench', 20), numbered('bench', 50)],
  ...[numbered('totals', 10), numbered('totals', 20)],
  ...[numbered('bench', 5, related), numbered('bench', 20, related), numbered('totals', 10, related)],
  ...[byAuthor(5), byAuthor(20), byAuthor(10, related)],
  ...[keyset(5), keyset(20), keyset(50)],
  ...[deep(100), deep(300)],
]

/** All kinds by turns, each with a token. */
export const mixed = (token: string): Workload => ({
  key: 'm',
  name: 'twenty kinds, by token',
  isWrite: true,
  hasCursors: true,
  request: (n) => ({ ...(kinds[n % kinds.length] ?? write.patch)(n), token }),
})
