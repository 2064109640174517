import type { OrderTerm } from '../condition/order-term.ts'
import type { Failures } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import { type Message, say } from '../document/text.ts'
import { own } from '../document/types.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { ModelMeta } from '../model/meta.ts'
import type {
  AskedRows,
  IncludedPage,
  Page,
  PageLimits,
  PageParams,
  PageRequest,
  PageSource,
  Paginator,
} from './paginator.ts'

/**
 * What the strategies have in common: the spelling of the page's meta, and the default size.
 * Configure a paginator where it is made; the server reads it from then on. Extend it for a strategy of your own.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 * @example
 * // Everything at once, up to the largest page.
 * class WholePagination extends Pagination {
 *   readonly keys = []
 *   readonly order = null
 *   parse(_params: PageParams, { maxPageSize }: PageLimits): PageRequest {
 *     return {
 *       read: async (source) => ({ rows: await source.rows({ take: maxPageSize }), meta: null, links: {} }),
 *     }
 *   }
 * }
 */
export abstract class Pagination implements Paginator {
  private metaStyle: MetaStyle = defaultMetaStyle
  private defaultPerPage: number | null = null

  /** The names that the members of `page` may have. */
  abstract readonly keys: readonly string[]
  /** The order that the strategy imposes; null where `sort` is the client's. */
  abstract readonly order: readonly OrderTerm[] | null
  /** Reads what a client sent; 400 with `source.parameter` for what does not fit. */
  abstract parse(params: PageParams, limits: PageLimits): PageRequest

  /** The parameters of the page behind one that is included; null where there is no way to ask for it. */
  protected behind(_page: IncludedPage): PageParams | null {
    return null
  }

  /** The meta has `hasMore` and `perPage`. */
  included(page: IncludedPage): Pick<Page, 'meta' | 'links'> {
    const next = page.hasMore ? this.behind(page) : null
    return { meta: this.meta({ hasMore: page.hasMore, perPage: page.size }), links: { ...(next && { next }) } }
  }

  /**
   * The number of resources on a page when the request names none, instead of the schema's `perPage`.
   *
   * @throws {Error} for what is no integer from 1 on.
   */
  withDefaultPerPage(perPage: number): this {
    this.defaultPerPage = checkPerPage(perPage)
    return this
  }

  /** Names the members of the page's meta in snake case: `current_page`. */
  withSnakeCaseMeta(): this {
    return this.styleMeta({ memberCase: 'snake' })
  }

  /** Names the members of the page's meta in dash case: `current-page`. */
  withDashCaseMeta(): this {
    return this.styleMeta({ memberCase: 'dash' })
  }

  /**
   * Puts the page's meta under `meta.<key>` instead of `meta.page`.
   *
   * @throws {Error} for an empty name.
   */
  withMetaKey(key: string): this {
    if (key === '') throw new Error("withMetaKey(''): pass a name, or call withoutNestedMeta().")
    return this.styleMeta({ key })
  }

  /** Puts the members of the page's meta directly into the top-level `meta`. */
  withoutNestedMeta(): this {
    return this.styleMeta({ isNested: false })
  }

  /** Answers without page meta; the links stay. */
  withoutMeta(): this {
    return this.styleMeta({ isShown: false })
  }

  /**
   * Called once per type at boot.
   *
   * @returns warnings: what will work, but badly.
   * @throws {Error} when the strategy cannot work as configured, with the cure.
   */
  check(_model: ModelMeta): readonly string[] {
    const clash = this.keys.find((key, i) => this.keys.indexOf(key) !== i)
    if (clash === undefined) return []
    throw new Error(`${this.constructor.name}: two page parameters are called ${clash}. Give one of them another name.`)
  }

  /** The members as the page's meta, spelt and nested as configured; null where there is none. */
  protected meta(members: Readonly<Record<string, unknown>>): Page['meta'] {
    return toMeta(members, this.metaStyle)
  }

  /** The size asked for, or the default, which never exceeds what may be asked for. */
  protected sizeOf(params: PageParams, key: string, limits: PageLimits): number {
    return sentCount(params, key) ?? Math.min(this.defaultPerPage ?? limits.perPage, maxSizeOf(limits))
  }

  private styleMeta(change: Partial<MetaStyle>): this {
    this.metaStyle = { ...this.metaStyle, ...change }
    return this
  }
}

export const maxSizeOf = ({ maxPageSize }: PageLimits): number => Math.min(maxPageSize, maxSize)

/** A default page size, as `withDefaultPerPage` was given it. */
export function checkPerPage(perPage: number): number {
  if (Number.isInteger(perPage) && perPage >= 1) return perPage
  throw new Error(`withDefaultPerPage(${perPage}): pass an integer of at least 1.`)
}

/** The name of a page parameter, as a configuration method was given it. */
export function checkKey(method: string, key: string): string {
  if (key !== '' && !/[[\]]/.test(key)) return key
  throw new Error(`${method}('${key}'): pass the name of a page parameter, without brackets: 'limit' for page[limit].`)
}

/** How the meta of a page is spelled. */
interface MetaStyle {
  readonly memberCase: 'camel' | 'snake' | 'dash'
  /** The member of the top-level `meta` that the page's meta is put under. */
  readonly key: string
  readonly isNested: boolean
  readonly isShown: boolean
}

export const defaultMetaStyle: MetaStyle = { memberCase: 'camel', key: 'page', isNested: true, isShown: true }

/** In: members named in camel case. Out: what goes into the document's `meta`, or null for nothing. */
export function toMeta(members: Readonly<Record<string, unknown>>, style: MetaStyle): Page['meta'] {
  if (!style.isShown) return null
  const named = Object.fromEntries(Object.entries(members).map(([name, value]) => [memberName(name, style), value]))
  return style.isNested ? { [style.key]: named } : named
}

function memberName(name: string, { memberCase }: MetaStyle): string {
  if (memberCase === 'camel') return name
  const separator = memberCase === 'snake' ? '_' : '-'
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase())
}

/** The largest page number: what the databases take as an integer. */
export const maxNumber = 2 ** 31 - 1

/** Below `maxNumber`, because a page is read with one row more than it shows. */
const maxSize = maxNumber - 1

/** Keys that the strategy does not have. */
export function* keyFailures(params: PageParams, keys: readonly string[]): Failures {
  for (const key of Object.keys(params)) {
    if (!keys.includes(key)) yield failure(key, say`Page parameter ${key} is not allowed.`)
  }
}

/** A number that was sent: an integer from 1 to `max`. */
export function* countFailures(params: PageParams, key: string, max: number): Failures {
  if (!Object.hasOwn(params, key)) return
  const count = toCount(params[key])
  if (count === null) yield failure(key, say`Page parameter ${key} must be an integer of at least 1.`)
  else if (count > max) yield failure(key, say`Page parameter ${key} must not be greater than ${max}.`)
}

/** An id that was sent: whether a resource has it, only the collection knows. */
export function* idFailures(params: PageParams, key: string): Failures {
  if (Object.hasOwn(params, key) && sentId(params, key) === null)
    yield failure(key, say`Page parameter ${key} must be the id of a resource.`)
}

export const failure = (key: string, detail: Message) => badParameter(`page[${key}]`, detail)

export const sentCount = (params: PageParams, key: string): number | null => toCount(own(params, key))

export function sentId(params: PageParams, key: string): string | null {
  const id = own(params, key)
  return typeof id === 'string' && id !== '' ? id : null
}

// A number is what an application may write into `defaultPagination`; a query string has only texts.
function toCount(value: unknown): number | null {
  if (typeof value !== 'number' && !(typeof value === 'string' && /^\d+$/.test(value))) return null
  const count = Number(value)
  return count >= 1 && (typeof value === 'string' || Number.isSafeInteger(value)) ? count : null
}

// How far a page counts the collection: to its end (Infinity), not at all (0), or up to a number.

/** What `withBoundedTotal()` counts to by default. */
export const defaultCountLimit = 10_000

/** An end, as `withBoundedTotal` was given it. */
export function checkMost(most: number): number {
  if (Number.isInteger(most) && most >= 1 && most < maxNumber) return most
  throw new Error(
    `withBoundedTotal(${most}): pass an integer from 1 to ${maxNumber - 1}, or nothing for ${defaultCountLimit}.`,
  )
}

/** What that asks for: one row behind the end tells that there are more. */
export const countedTo = (most: number): NonNullable<AskedRows['counted']> =>
  most === Infinity || (most > 0 && most + 1)

export const countTo = (source: PageSource, most: number): Awaitable<number> =>
  most === Infinity ? source.count() : source.count(most + 1)
