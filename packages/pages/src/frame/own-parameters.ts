import type { CompiledServer } from '@prismapi/core/server/compile'
import {
  backMark,
  createdMark,
  deleteMark,
  doneMark,
  forMark,
  manyMark,
  newMark,
  rowMark,
} from '../data/page-request.ts'

// What a page is asked for beside its document is in its URL, too, and is taken out before the document is made.

const names: ReadonlySet<string> = new Set([
  ...['-show', '-field', deleteMark, newMark, backMark, forMark, createdMark],
  ...[manyMark, rowMark, doneMark],
])

/** In: a query with what the page itself is asked for. Out: the two apart. */
export function ownParameters(search: string): { readonly search: string; readonly own: URLSearchParams } {
  const own = new URLSearchParams()
  if (!search.includes('?-') && !search.includes('&-')) return { search, own }
  const others = search
    .slice(1)
    .split('&')
    .filter((part) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(part)
      if (names.has(name)) own.append(name, value)
      return !names.has(name)
    })
  return { search: others.length === 0 ? '' : `?${others.join('&')}`, own }
}

/** A path and its query, with what the page itself is asked for. */
export const withOwn = (path: string, own: URLSearchParams): string =>
  own.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${own}`

const plainTarget = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/

/** The URL to go back to, if it is a page of this server after dots are resolved, as a browser does; null otherwise. */
export function backTo({ basePath }: Pick<CompiledServer, 'basePath'>, target: string | null): string | null {
  if (target === null || !plainTarget.test(target)) return null
  const { pathname, search } = new URL(target, 'http://localhost')
  return pathname === basePath || pathname.startsWith(`${basePath}/`) ? pathname + search : null
}
