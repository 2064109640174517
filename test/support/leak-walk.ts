import { lookFor } from './leak-look.ts'
import {
  type Clause,
  clausesOf,
  collectionUrls,
  filterUrl,
  type KnownRow,
  memberUrls,
  resourceUrls,
} from './leak-urls.ts'
import { groundsOf, hiddenRows, schemasOf, shownRows, type World } from './leak-world.ts'

/** Asks for a path as one caller. */
export type Get = (path: string) => Promise<{ readonly status: number; readonly text: string }>

export interface Walker {
  readonly get: Get
  /** The same caller on the same server, over the same database without the hidden rows: every answer must be the same. */
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

/** Every URL that reads without a filter. */
export function readingUrls(world: World): string[] {
  const grounds = groundsOf(world)
  return schemasOf(world).flatMap((schema) => {
    const ids = (rows: readonly KnownRow[] = []) => rows.map(({ id }) => id)
    const hidden = ids(hiddenRows(world, schema))
    const missing = grounds.missing.get(schema.type) as string
    return [
      ...collectionUrls(grounds, schema),
      // The collection included every path of every row; below single resources, two of each type will do.
      ...ids(shownRows(world, schema)).flatMap((id, i) => [
        ...resourceUrls(grounds, schema, id, i < 2),
        ...memberUrls(grounds, schema, id),
      ]),
      ...[...hidden, missing].flatMap((id) => resourceUrls(grounds, schema, id, false)),
    ]
  })
}

/** How many conditions each path of a filter is asked with: on a field, across one relation, across two (¼: every fourth path). */
export type Thoroughness = readonly [own: number, near: number, far: number]

/** Collections by every filter that the types know: on their own fields, and across one and two relations. */
export function filterUrls(world: World, thoroughness: Thoroughness): string[] {
  const grounds = groundsOf(world)
  return schemasOf(world).flatMap((schema) => {
    const [own, near, far] = thoroughness.map((count, depth) => perPath(clausesOf(grounds, schema, depth), count))
    const denied = [own, near].flatMap((clauses = []) => clauses.filter((_, i) => i % 4 === 0)).map(inNot)
    return [own, near, far, denied].flatMap((clauses = []) =>
      clauses.map((clause) => filterUrl(`/${schema.type}`, [clause])),
    )
  })
}

const inNot = ([key, value]: Clause): Clause => [`[not][0]${key}`, value]

/** So many clauses of each path, others for the next one. */
function perPath(clauses: readonly Clause[], count: number): Clause[] {
  const paths = new Map<string, Clause[]>()
  for (const clause of clauses) {
    const path = clause[0].slice(0, clause[0].indexOf(']'))
    paths.set(path, [...(paths.get(path) ?? []), clause])
  }
  const asked = (turn: number) => Math.floor((turn + 1) * count) - Math.floor(turn * count)
  return [...paths.values()].flatMap((all, turn) =>
    Array.from({ length: Math.min(asked(turn), all.length) }, (_, i) => all[(turn + i) % all.length] as Clause),
  )
}

/** Collections by random groups of filters, `or`, `and` and `not` within each other; the same ones for the same seed. */
export function groupUrls(world: World, count: number, seed: number): string[] {
  const grounds = groundsOf(world)
  const random = randomFrom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const pools = new Map(
    schemasOf(world).map((schema) => [schema.type, [0, 1, 2].flatMap((depth) => clausesOf(grounds, schema, depth))]),
  )
  return Array.from({ length: count }, () => {
    const [type, pool] = pick([...pools])
    const clauses = Array.from({ length: 2 + Math.floor(random() * 3) }, (_, i): Clause => {
      const [key, value] = pick(pool)
      const inner = random() < 0.3 ? `[not][0]${key}` : key
      return [pick(['', `[or][${i}]`, `[and][${i}]`, '[not][0]', `[not][0][or][${i}]`]) + inner, value]
    })
    return filterUrl(`/${type}`, clauses)
  })
}

/** Asks for each URL, and collects what an answer tells of a hidden row. */
export async function walk(world: World, urls: readonly string[], { get, twin }: Walker): Promise<Walked> {
  const look = lookFor(world)
  const leaks: Leak[] = []
  const statuses = new Map<number, number>()
  const seen = new Set<string>()
  await eachOf([...new Set(urls)], async (url) => {
    const path = world.server.basePath + url
    const [answer, other] = await Promise.all([get(path), twin?.(path)])
    const found = look(JSON.parse(answer.text), decodeURIComponent(url), seen)
    if (answer.status >= 500) found.push(`fails with ${answer.status}`)
    if (other && (other.status !== answer.status || other.text !== answer.text)) {
      found.push(`is not what it is without the hidden rows: ${difference(answer.text, other.text)}`)
    }
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    leaks.push(...found.map((what) => ({ url, what })))
  })
  return { leaks, statuses, seen }
}

/** What is below a hidden resource answers, to the letter, as it does below one that never was. */
export async function compareWithMissing(world: World, get: Get): Promise<readonly Leak[]> {
  const grounds = groundsOf(world)
  const pairs = schemasOf(world).flatMap((schema) => {
    const urls = (id: string) => resourceUrls(grounds, schema, id, true)
    const missing = urls(grounds.missing.get(schema.type) as string)
    return hiddenRows(world, schema).flatMap(({ id }) => urls(id).map((url, i) => [url, missing[i] as string] as const))
  })
  const leaks: Leak[] = []
  await eachOf(pairs, async ([url, missing]) => {
    const [answer, other] = await Promise.all([get(world.server.basePath + url), get(world.server.basePath + missing)])
    if (answer.status === other.status && answer.text === other.text) return
    leaks.push({ url, what: `is told from a missing one: ${difference(answer.text, other.text)}` })
  })
  return leaks
}

const workers = 6

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const run = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, run))
}

/** Where two texts part. */
function difference(a: string, b: string): string {
  const start = [...a].findIndex((character, i) => character !== b[i])
  const from = Math.max(0, (start < 0 ? a.length : start) - 40)
  return `…${a.slice(from, from + 120)} / …${b.slice(from, from + 120)}`
}

/** Mulberry32: enough of a random number, and the same ones again for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
