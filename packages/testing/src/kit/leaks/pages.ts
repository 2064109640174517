import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { isObject } from '../judges/judged.ts'
import type { Get } from './walk.ts'
import type { World } from './world.ts'

// Collections as a whole, which totals and figures are held against.

/** Longer collections are not read. */
const pagesAtMost = 30

type Got = Awaited<ReturnType<Get>>

/** All resources of a collection, from its first page on; null if it is none, or has too many pages. */
export async function resourcesFrom(first: Got, get: Get): Promise<readonly unknown[] | null> {
  const found: unknown[] = []
  let answer = first
  for (let page = 0; page < pagesAtMost; page++) {
    const { data, links } = documentOf(answer.text)
    if (answer.status !== 200 || !Array.isArray(data)) return null
    found.push(...data)
    const next = isObject(links) ? links.next : null
    if (typeof next !== 'string') return found
    const { pathname, search } = new URL(next, 'http://relative')
    answer = await get(pathname + search)
  }
  return null
}

/** The URL of a collection with the parameter that makes its pages as few as can be. */
export function withLargestPage(world: World, url: string): string {
  const { paginator, maxPageSize } = listedAt(world, url) ?? {}
  const key = ['size', 'limit'].find((each) => paginator?.keys.includes(each))
  return key === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}page[${key}]=${maxPageSize}`
}

/** The type of the resources at the URL of a collection, or of a to-many relation. */
export function listedAt({ server: { schemas } }: World, url: string): ResourceSchema | undefined {
  const [path = ''] = url.split('?')
  const [, type = '', , name] = path.split('/')
  const schema = schemas.byType.get(type)
  const relation = name === undefined ? undefined : schema?.relations.get(name)
  return relation && relation.kind !== 'morphTo' ? schemas.byModel.get(relation.model) : schema
}

export function documentOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(text)
    return isObject(document) ? document : {}
  } catch {
    return {}
  }
}
