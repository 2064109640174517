import { origin } from './process.ts'

// What the two servers written by hand read from an URL, and the links of a page: no more than the workloads need.

/** The part of the address that names the kind of collection: without a total, with one, by cursor. */
export type Base = 'bench' | 'totals' | 'cursor'

export interface Asked {
  readonly base: Base
  /** The URL as links name it, without its query. */
  readonly url: string
  readonly id: number | null
  /** The parameters, sorted by name. */
  readonly params: readonly (readonly [string, string])[]
  readonly number: number
  readonly size: number
  readonly after: number | null
  readonly author: number | null
  readonly isIncluding: boolean
}

export function readUrl(url: string): Asked {
  const [path = '', query = ''] = url.split('?')
  const [, , base, , id] = path.split('/')
  const params = [...new URLSearchParams(query)].sort(([a], [b]) => (a < b ? -1 : 1))
  const textOf = (name: string) => params.find(([key]) => key === name)?.[1]
  const integer = (name: string) => (textOf(name) === undefined ? null : Number(textOf(name)))
  return {
    base: base as Base,
    url: origin + path,
    id: id === undefined ? null : Number(id),
    params,
    number: integer('page[number]') ?? 1,
    size: integer(base === 'cursor' ? 'page[limit]' : 'page[size]') ?? 15,
    after: integer('page[after]'),
    author: integer('filter[author]'),
    isIncluding: textOf('include') !== undefined,
  }
}

/** What a page shows beside its resources. */
export interface Head {
  readonly links: Readonly<Record<string, string>>
  readonly page: Readonly<Record<string, number | string | boolean>>
}

interface Found {
  readonly ids: readonly number[]
  readonly hasMore: boolean
  readonly total: number | null
}

export const headOf = (asked: Asked, found: Found): Head =>
  asked.base === 'cursor' ? cursorHead(asked, found) : numberedHead(asked, found)

function numberedHead(asked: Asked, { ids, hasMore, total }: Found): Head {
  const { number, size, url, params } = asked
  const kept = params.filter(([name]) => !name.startsWith('page[') && name !== 'sort')
  const at = (page: number) =>
    link(url, [...kept, ['page[number]', String(page)], ['page[size]', String(size)], ['sort', '-createdAt']])
  const from = (number - 1) * size + 1
  const to = from + ids.length - 1
  const last = total === null ? null : Math.ceil(total / size)
  return {
    links: {
      self: link(url, params),
      first: at(1),
      ...(number > 1 && { prev: at(number - 1) }),
      ...(hasMore && { next: at(number + 1) }),
      ...(last !== null && { last: at(last) }),
    },
    page:
      last === null || total === null
        ? { currentPage: number, from, to, perPage: size }
        : { currentPage: number, from, lastPage: last, perPage: size, to, total },
  }
}

function cursorHead({ url, params, size }: Asked, { ids, hasMore }: Found): Head {
  const limit = ['page[limit]', String(size)] as const
  const from = String(ids[0])
  const to = String(ids.at(-1))
  return {
    links: {
      self: link(url, params),
      first: link(url, [limit]),
      prev: link(url, [['page[before]', from], limit]),
      ...(hasMore && { next: link(url, [['page[after]', to], limit]) }),
    },
    page: { from, to, hasMore, perPage: size },
  }
}

function link(url: string, params: readonly (readonly [string, string])[]): string {
  if (params.length === 0) return url
  return `${url}?${params.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`
}
