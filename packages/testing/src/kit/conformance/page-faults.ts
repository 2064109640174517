import type { PageParams } from '@prismapi/jsonapi/pagination/paginator'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer } from '../../send.ts'
import { isObject, type Json, paginationLinks } from '../judges/judged.ts'
import type { Interview } from './interview.ts'
import { promisedPage } from './promised-page.ts'

/** The first resources of a collection, or all. */
export interface Listed {
  readonly schema: ResourceSchema
  readonly ids: readonly string[]
  readonly isWhole: boolean
  /** The URL that says so. */
  readonly from: string
}

interface Place {
  readonly listed: Listed
  readonly at: number
  readonly params: PageParams
}

/**
 * Checks that a page has exactly the links that its paginator promises, and its meta, as far as the collection is known
 * (JSON:API, *Pagination*).
 */
export async function judgePage(own: Interview, page: Answer, { listed, at, params }: Place): Promise<void> {
  const { ids, isWhole, schema } = listed
  // One more stands for all that are not known, which may be many.
  const known = { ids: isWhole ? ids : [...ids, ''], at }
  const due = await promisedPage(schema, params, known)
  if (!due || (!isWhole && at + due.rows.length > ids.length)) return
  const ifMany = isWhole ? due : await promisedPage(schema, params, { ...known, count: Number.MAX_SAFE_INTEGER })
  const { links, meta } = page.document ?? {}
  const told = isObject(links) ? links : {}
  for (const name of paginationLinks) {
    const promised = due.links[name as keyof typeof due.links]
    if (!promised !== !ifMany?.links[name as keyof typeof due.links]) continue
    if (promised !== undefined && !Object.hasOwn(told, name)) own.note(page, `links.${name} is missing`)
    else if (promised && told[name] === null) own.note(page, `links.${name} is null, and there is such a page`)
    else if (!promised && (told[name] ?? null) !== null) own.note(page, `links.${name} leads to a page that is none`)
  }
  if (isWhole) for (const fault of metaFaults('meta', due.meta ?? {}, meta)) own.note(page, fault)
}

/** What else is told is the application's. */
function* metaFaults(at: string, due: Json, told: unknown): Generator<string> {
  for (const [name, value] of Object.entries(due)) {
    const found = isObject(told) ? told[name] : undefined
    if (isObject(value)) yield* metaFaults(`${at}.${name}`, value, found)
    else if (found !== value) yield `${at}.${name} is ${JSON.stringify(found)}, not ${JSON.stringify(value)}`
  }
}
