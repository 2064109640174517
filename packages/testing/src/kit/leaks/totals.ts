import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { eachOf } from '../each-of.ts'
import { isObject } from '../judges/judged.ts'
import { filterUrl } from './filters.ts'
import type { ReadWorld } from './hidden-world.ts'
import { documentOf, resourcesFrom, withLargestPage } from './pages.ts'
import type { Get, Leak } from './walk.ts'
import { schemasOf, toKnown, type World } from './world.ts'

// A total that counts hidden rows is not the number of resources on all pages: no other database is needed to see it.

const nearAtMost = 3

/** Collections that may have a total: of types, and of what is related to rows that are next to hidden ones. */
export const countedUrls = ({ world, near }: ReadWorld): readonly string[] =>
  schemasOf(world).flatMap((schema) => {
    const rows = (near.get(schema.model.name) ?? []).slice(0, nearAtMost).map((row) => toKnown(schema, row))
    const names = [...schema.relations.values()].filter(isToMany).map(({ name }) => name)
    return [
      `/${schema.type}`,
      ...rows.flatMap(({ id }) => names.map((name) => `/${schema.type}/${encodeURIComponent(id)}/${name}`)),
    ]
  })

/** The same, filtered by a relation that is not empty: a total may use another condition than the pages. */
export const countedFilterUrls = ({ world }: ReadWorld): readonly string[] =>
  schemasOf(world).flatMap((schema) =>
    [...schema.relations.values()].flatMap((relation) =>
      relation.kind === 'morphTo'
        ? []
        : ['true', 'false'].map((value) => filterUrl(`/${schema.type}`, [[`[${relation.name}][exists]`, value]])),
    ),
  )

/** Holds the total of each collection against its pages; a collection that tells none, or is very long, is left out. */
export async function compareTotals(world: World, urls: readonly string[], get: Get): Promise<readonly Leak[]> {
  const leaks: Leak[] = []
  await eachOf(urls, async (url) => {
    const first = withLargestPage(world, url)
    const answer = await get(world.server.basePath + first)
    const total = answer.status === 200 ? totalOf(answer) : null
    if (!total) return
    const count = (await resourcesFrom(answer, get))?.length
    if (count === undefined || total.fits(count)) return
    leaks.push({ url: first, what: `its total is ${total.told}, and its pages have ${count} resources` })
  })
  return leaks
}

type Got = Awaited<ReturnType<Get>>

interface Total {
  readonly told: string
  /** May there be so many resources. */
  fits(count: number): boolean
}

/** What a document or a header says that there are; null where nothing does. */
function totalOf({ text, headers }: Got): Total | null {
  const { meta } = documentOf(text)
  const page = isObject(meta) && isObject(meta.page) ? meta.page : meta
  for (const [name, value] of isObject(page) ? Object.entries(page) : []) {
    if (typeof value !== 'number') continue
    if (name === 'total') return exactly(value)
    if (/^total[-_]?more[-_]?than$/i.test(name)) return { told: `more than ${value}`, fits: (count) => count > value }
  }
  const header = headers?.get('x-total-count') ?? ''
  return /^\d+$/.test(header) ? exactly(Number(header)) : null
}

const exactly = (total: number): Total => ({ told: String(total), fits: (count) => count === total })
