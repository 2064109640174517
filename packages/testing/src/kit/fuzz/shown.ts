import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer } from '../../send.ts'
import { eachOf } from '../each-of.ts'
import { isObject } from '../judges/judged.ts'
import type { KnownRow } from '../leaks/urls.ts'
import type { Asker } from '../tested.ts'

/** What the callers of a server are shown of its collections: what a query may ask for again. */
export interface ReadableCollections {
  /** By type. */
  readonly rows: ReadonlyMap<string, readonly KnownRow[]>
  /** By type: `page` as the collection's own links have it. */
  readonly pages: ReadonlyMap<string, readonly Page[]>
  /** Those whom every collection answered 401. */
  readonly strangers: readonly Asker[]
}

/** The members of `page`. */
export type Page = Readonly<Record<string, string>>

/** Asks for each collection as each caller. */
export async function shownTo(askers: readonly Asker[]): Promise<ReadableCollections> {
  const rows = new Map<string, KnownRow[]>()
  const pages = new Map<string, Page[]>()
  const strangers: Asker[] = []
  for (const asker of askers) {
    const { server, ask } = asker
    const schemas = [...server.schemas.byType.values()]
    const answers = new Map<ResourceSchema, Answer>()
    await eachOf(schemas, async (schema) => {
      answers.set(schema, await ask({ method: 'GET', path: `${server.basePath}/${schema.type}` }))
    })
    for (const schema of schemas) {
      const { document } = answers.get(schema) as Answer
      rows.set(schema.type, [...(rows.get(schema.type) ?? []), ...rowsIn(document, schema)])
      pages.set(schema.type, [...(pages.get(schema.type) ?? []), ...pagesIn(document)])
    }
    if (schemas.length > 0 && schemas.every((schema) => answers.get(schema)?.status === 401)) strangers.push(asker)
  }
  return { rows, pages, strangers }
}

/** A line for each caller who should be known, and is not; for all of them where no caller is. */
export async function strangerFaults(
  { strangers }: ReadableCollections,
  askers: readonly Asker[],
): Promise<readonly string[]> {
  const isMeant = await Promise.all(strangers.map(({ isNamed }) => isNamed()))
  const unknown = strangers.filter((_, i) => isMeant[i] || strangers.length === askers.length)
  return unknown.map(
    ({ server, caller }) =>
      `every collection of ${server.basePath} answers ${caller} 401, so nothing is tested. Look at the headers in \`callers\`.`,
  )
}

function rowsIn(document: unknown, { attributes }: ResourceSchema): readonly KnownRow[] {
  const data = isObject(document) && Array.isArray(document.data) ? document.data.filter(isObject) : []
  return data.map(({ id, attributes: shown }) => ({
    id: String(id),
    values: new Map(
      Object.entries(isObject(shown) ? shown : {}).flatMap(([name, value]) =>
        attributes.has(name) && value !== null ? [[name, String(value)] as const] : [],
      ),
    ),
  }))
}

function pagesIn(document: unknown): readonly Page[] {
  const links = isObject(document) && isObject(document.links) ? Object.values(document.links) : []
  return links.flatMap((link) => {
    if (typeof link !== 'string' || !URL.canParse(link, 'http://tested')) return []
    const page = [...new URL(link, 'http://tested').searchParams].flatMap(([key, value]) => {
      const [, member] = /^page\[([^[\]]+)\]$/.exec(key) ?? []
      return member === undefined ? [] : [[member, value] as const]
    })
    return page.length > 0 ? [Object.fromEntries(page)] : []
  })
}
