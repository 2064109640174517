import { isFinerThanDate } from '@prismapi/jsonapi/pagination/keyset'
import type { PageParams } from '@prismapi/jsonapi/pagination/paginator'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer } from '../../send.ts'
import { isObject } from '../judges/judged.ts'
import { allowed, type Interview, resourcesIn } from './interview.ts'
import { judgePage, type Listed } from './page-faults.ts'
import { sizeKeyOf } from './promised-page.ts'

/** As many resources of a collection as its pages are compared with. */
const most = 100
const hops = 3

/** Asks for pages of several sizes: each has its resources and links, none comes twice, and wrong sizes are refused. */
export async function askPages(own: Interview, schema: ResourceSchema, first: Answer): Promise<void> {
  const key = await sizeKeyOf(schema)
  if (key === null) return
  const parameter = `page[${key}]`
  const sized = (size: number | string) => `/${schema.type}?${parameter}=${size}`
  for (const size of ['0', '-1', 'abc', '1.5', '']) await own.ask({ path: sized(size), status: [400], parameter })
  const size = Math.min(schema.maxPageSize, most)
  const all = await own.ask({ path: sized(size), status: allowed(own, schema), primary: 'resources' })
  if (all.status !== 200) return
  const ids = idsIn(all)
  const listed: Listed = { schema, ids, isWhole: ids.length < size, from: all.request.path }
  const isLossy = losesRows(schema)
  if (!isLossy && schema.defaultPage) await judgePage(own, first, { listed, at: 0, params: schema.defaultPage })
  if (!isLossy) await judgePage(own, all, { listed, at: 0, params: paramsOf(all) })
  await walk(own, listed, { path: sized(1), size: 1, hops, isLossy })
  if (isLossy || !listed.isWhole || ids.length <= hops) return
  const third = Math.ceil(ids.length / hops)
  await walk(own, listed, { path: sized(third), size: third, hops, isLossy })
}

/** The server warns of it at startup: rows without a cursor column's value, or with one between two milliseconds. */
const losesRows = ({ paginator, model }: ResourceSchema): boolean =>
  (paginator?.order ?? []).some(({ path }) => {
    const column = model.columns[path.join('.')]
    return column?.isNullable || (column !== undefined && isFinerThanDate(column))
  })

interface Walk {
  readonly path: string
  readonly size: number
  readonly hops: number
  readonly isLossy: boolean
}

async function walk(own: Interview, listed: Listed, { path, size, hops, isLossy }: Walk): Promise<void> {
  const { type } = listed.schema
  const seen = new Set<string>()
  let next: string | null = path
  for (let hop = 0; hop < hops && next !== null; hop++) {
    const page: Answer = await own.ask({ path: next, status: [200], primary: 'resources' })
    if (page.status !== 200) return
    const found = idsIn(page)
    if (found.length > size) own.note(page, `data has ${found.length} resources`)
    for (const id of found) {
      if (seen.has(id)) own.note(page, `${type}:${id} was on an earlier page`)
      seen.add(id)
    }
    const at = hop * size
    if (!isLossy) {
      expectIds(own, page, { found, listed, due: listed.ids.slice(at, at + size) })
      await judgePage(own, page, { listed, at, params: paramsOf(page) })
    }
    if (hop === 1 && size === 1) await askWays(own, page, { listed, isLossy })
    next = pathOf(own, page, 'next')
  }
}

/** Where the links of the second page lead, but for the next one: to the first and the last. */
async function askWays(own: Interview, page: Answer, { listed, isLossy }: { listed: Listed; isLossy: boolean }) {
  const { ids, isWhole } = listed
  const ways = { prev: ids.slice(0, 1), first: ids.slice(0, 1), last: isWhole ? ids.slice(-1) : null }
  for (const [name, due] of Object.entries(ways)) {
    const path = pathOf(own, page, name)
    if (path === null || due === null || isLossy) continue
    const there = await own.ask({ path, status: [200], primary: 'resources' })
    if (there.status === 200) expectIds(own, there, { found: idsIn(there), listed, due })
  }
}

interface Due {
  readonly found: readonly string[]
  readonly due: readonly string[]
  readonly listed: Listed
}

/** Pages are parts of one list. What is beyond the known part of it is not looked at. */
function expectIds(own: Interview, page: Answer, { found, due, listed }: Due): void {
  if (found.join('\n') === due.join('\n') || (due.length === 0 && !listed.isWhole)) return
  const named = (ids: readonly string[]) => ids.map((id) => `${listed.schema.type}:${id}`).join() || 'empty'
  own.note(page, `data is ${named(found)}, and by ${listed.from} ${named(due)}`)
}

const idsIn = (answer: Answer): readonly string[] => resourcesIn(answer).map(({ id }) => String(id))

/** The members of `page` by which it was asked for. */
function paramsOf({ request }: Answer): PageParams {
  const query = new URL(request.path, 'http://tested').searchParams
  return Object.fromEntries(
    [...query].flatMap(([name, value]) => {
      const [, key] = /^page\[(.+)\]$/.exec(name) ?? []
      return key === undefined ? [] : [[key, value]]
    }),
  )
}

/** The path of another page below the base path; null where there is none. */
function pathOf({ server }: Interview, { document }: Answer, name: string): string | null {
  const link = isObject(document?.links) ? document.links[name] : null
  const href = isObject(link) ? link.href : link
  if (typeof href !== 'string') return null
  const { pathname, search } = new URL(href, 'http://tested')
  return pathname.startsWith(server.basePath) ? pathname.slice(server.basePath.length) + search : null
}
