import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Context } from 'koa'
import { formMark, type Kept, keepMark, resetMark, type SavedView } from '../data/page-request.ts'

// What a browser keeps for the lists of its reader: two cookies, which say nothing of data but what the reader has
// chosen. No script reads them.

const columnsCookie = 'prismapi-columns'
const viewsCookie = 'prismapi-views'
const aYear = 31_536_000
/** With the session they stay below what servers take as headers. */
const mostBytes = { [columnsCookie]: 1500, [viewsCookie]: 3000 } as const
const longestName = 60

type Name = keyof typeof mostBytes
type Entry = readonly string[]

/** What the cookies of a request say. */
export const keptOf = (koa: Context): Kept => ({
  columns: new Map(read(koa, columnsCookie).map(([type = '', ...names]) => [type, names])),
  views: read(koa, viewsCookie).flatMap(([type, name, query]) =>
    type !== undefined && name !== undefined && query !== undefined ? [{ type, name, query }] : [],
  ),
})

function read(koa: Context, name: Name): readonly Entry[] {
  try {
    const kept: unknown = JSON.parse(Buffer.from(koa.cookies.get(name) ?? '', 'base64url').toString())
    const isEntry = (each: unknown): each is Entry =>
      Array.isArray(each) && each.every((part) => typeof part === 'string')
    return Array.isArray(kept) ? kept.filter(isEntry) : []
  } catch {
    return []
  }
}

const written = (entries: readonly Entry[]): string => Buffer.from(JSON.stringify(entries)).toString('base64url')

function keep(koa: Context, { basePath }: CompiledServer, name: Name, entries: readonly Entry[]): void {
  const value = `${name}=${written(entries)}; Path=${basePath}; HttpOnly; SameSite=Lax`
  koa.append('Set-Cookie', `${value}; Max-Age=${entries.length > 0 ? aYear : 0}`)
}

/** Keeps the columns that the form of a list was sent with; the usual ones are kept for nobody. */
export function keepColumns(koa: Context, server: CompiledServer, sent: URLSearchParams): void {
  const type = sent.get(keepMark)
  // Another site could lead a reader here.
  if (type === null || !sent.has(formMark) || koa.req.headers['sec-fetch-site'] !== 'same-origin') return
  if (!server.schemas.byType.has(type)) return
  const [, usual = ''] = (sent.getAll('-of').find((each) => each.startsWith(`${type} `)) ?? '').split(' ')
  const names = sent.has(resetMark) ? [] : sent.getAll(`-fields.${type}`)
  const others = read(koa, columnsCookie).filter(([each]) => each !== type)
  const all: Entry[] = names.length === 0 || names.join() === usual ? others : [[type, ...names], ...others]
  // Those that were chosen last stay.
  while (written(all).length > mostBytes[columnsCookie]) all.pop()
  keep(koa, server, columnsCookie, all)
}

/** Saves a view in the place of the one that has its name; false where there is no room for it. */
export function saveView(koa: Context, server: CompiledServer, { type, name, query }: SavedView): boolean {
  const all = [...others(koa, type, name), [type, name.slice(0, longestName), query]]
  if (written(all).length > mostBytes[viewsCookie]) return false
  keep(koa, server, viewsCookie, all)
  return true
}

export const removeView = (koa: Context, server: CompiledServer, { type, name }: Omit<SavedView, 'query'>): void =>
  keep(koa, server, viewsCookie, others(koa, type, name))

const others = (koa: Context, type: string, name: string): readonly Entry[] =>
  read(koa, viewsCookie).filter(([each, called]) => each !== type || called !== name)
