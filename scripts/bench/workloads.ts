import { sizes } from './dataset.ts'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: string
}

export interface Workload {
  readonly key: string
  readonly name: string
  readonly isWrite: boolean
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
export const withWrites = ({ key, name, request }: Workload): Workload => ({
  key,
  name,
  isWrite: false,
  request: (n) => (n % 20 === 0 ? write.patch(n) : request(n)),
})

/** Reads a–e and h, writes f and g. `run` makes what is written new. */
export const workloads = (run: string): readonly Workload[] =>
  described(run).map((workload) => ({ ...workload, isWrite: workload.request(0).method !== 'GET' }))

const described = (run: string): readonly Omit<Workload, 'isWrite'>[] => [
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
]
