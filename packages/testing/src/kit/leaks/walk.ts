import { eachOf } from '../each-of.ts'
import { sampleOf } from '../random.ts'
import { lookFor } from './look.ts'
import { resourceUrls } from './urls.ts'
import { groundsOf, hiddenMembers, hiddenRows, schemasOf, type World } from './world.ts'

/** Asks for a path as one caller. */
export type Get = (path: string) => Promise<Got>

export interface Got {
  readonly status: number
  readonly text: string
  readonly headers?: Headers
}

export interface Walker {
  readonly get: Get
  /** The same caller on a server over the database without the hidden rows: every answer must be the same. */
  readonly twin?: Get
}

export interface Leak {
  readonly url: string
  readonly what: string
}

export interface Walked {
  readonly leaks: readonly Leak[]
  /** How many answers had each status. */
  readonly statuses: ReadonlyMap<number, number>
  /** `type/id` of every resource that was seen. */
  readonly seen: ReadonlySet<string>
}

/** Asks for each URL, and collects what an answer tells of a hidden row. */
export async function walk(world: World, urls: readonly string[], { get, twin }: Walker): Promise<Walked> {
  const look = lookFor(world)
  const closed = closedUrls(world)
  const leaks: Leak[] = []
  const statuses = new Map<number, number>()
  const seen = new Set<string>()
  await eachOf([...new Set(urls)], async (url) => {
    const path = world.server.basePath + url
    const [answer, other] = await Promise.all([get(path), twin?.(path)])
    const found = look({ document: parsed(answer.text), ...answer }, decodeURIComponent(url), seen)
    if (answer.status === 200 && closed.has(url.replace(/\?.*$/, '')))
      found.push('answers what is hidden of its resource')
    if (answer.status >= 500) found.push(`fails with ${answer.status}`)
    else if (other && (other.status !== answer.status || wholeOf(other) !== wholeOf(answer))) {
      found.push(`is not what it is without the hidden rows: ${difference(wholeOf(answer), wholeOf(other))}`)
    }
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    leaks.push(...found.map((what) => ({ url, what })))
  })
  return { leaks, statuses, seen }
}

/** The URLs of relations that are hidden. */
const closedUrls = (world: World): ReadonlySet<string> =>
  new Set(
    schemasOf(world).flatMap((schema) =>
      hiddenMembers(world, schema)
        .filter(({ name }) => schema.relations.has(name))
        .flatMap(({ id, name }) => {
          const at = `/${schema.type}/${encodeURIComponent(id)}`
          return [`${at}/${name}`, `${at}/relationships/${name}`]
        }),
    ),
  )

/** Headers that may speak of rows, and the body. */
const telling = /^(?:link|location|content-location|content-range|.*(?:total|count).*)$/i

export function wholeOf({ headers, text }: Got): string {
  const told = [...(headers ?? [])].filter(([name]) => telling.test(name)).map(([name, value]) => `${name}: ${value}`)
  // Last, since it differs wherever anything does.
  const tag = headers?.get('ETag') ?? null
  return [...told, tag === null ? text : `${text} etag: ${tag}`].join('\n')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Compares URLs below a hidden resource with those below one that never was: the answers must be equal. `sample` limits
 * how many.
 */
export async function compareWithMissing(world: World, get: Get, sample = Infinity): Promise<readonly Leak[]> {
  const grounds = groundsOf(world)
  const pairs = schemasOf(world).flatMap((schema) => {
    const urls = (id: string) => resourceUrls(grounds, schema, id, true)
    const missing = urls(grounds.missing.get(schema.type) as string)
    return hiddenRows(world, schema).flatMap(({ id }) => urls(id).map((url, i) => [url, missing[i] as string] as const))
  })
  const leaks: Leak[] = []
  await eachOf(sampleOf(pairs, sample, 1), async ([url, missing]) => {
    const [answer, other] = await Promise.all([get(world.server.basePath + url), get(world.server.basePath + missing)])
    if (answer.status === other.status && answer.text === other.text) return
    leaks.push({ url, what: `is told from a missing one: ${difference(answer.text, other.text)}` })
  })
  return leaks
}

/** Where two texts part. */
export function difference(a: string, b: string): string {
  const start = [...a].findIndex((character, i) => character !== b[i])
  const from = Math.max(0, (start < 0 ? a.length : start) - 40)
  return `…${a.slice(from, from + 120)} / …${b.slice(from, from + 120)}`
}
