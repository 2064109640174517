import type { Resources } from '../../src/model/meta.ts'
import type { Row } from '../../src/model/where.ts'
import type { ResourceSchema, SchemaRegistry } from '../../src/schema/resource-schema.ts'
import {
  type Clause,
  clausesOf,
  collectionUrls,
  filterUrl,
  type Grounds,
  type KnownRow,
  memberUrls,
  resourceUrls,
} from './leak-urls.ts'

/** A row that nobody may see, and what gives it away wherever it stands: texts and numbers that only this row has. */
export interface HiddenRow {
  readonly row: Row
  readonly markers: readonly string[]
}

/** A database with rows that a server hides from everybody. Nothing else has to be known of the application. */
export interface World {
  readonly server: {
    readonly basePath: string
    readonly schemas: SchemaRegistry
    readonly resources: Resources
  }
  /** By model. Their ids are no other value in the database. */
  readonly hidden: ReadonlyMap<string, readonly HiddenRow[]>
  readonly shown: ReadonlyMap<string, readonly Row[]>
  /** By model: an id that no row has. */
  readonly missing: ReadonlyMap<string, string>
}

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
      ...ids(shownRows(world, schema)).flatMap((id) => [
        ...resourceUrls(grounds, schema, id, true),
        ...memberUrls(grounds, schema, id),
      ]),
      ...[...hidden, missing].flatMap((id) => resourceUrls(grounds, schema, id, false)),
    ]
  })
}

/** How many conditions each path of a filter is asked with: on a field, across one relation, across two. */
export type Thoroughness = readonly [own: number, near: number, far: number]

/** Collections by every filter that the types know: on their own fields, and across one and two relations. */
export function filterUrls(world: World, thoroughness: Thoroughness): string[] {
  const grounds = groundsOf(world)
  return schemasOf(world).flatMap((schema) => {
    const [own, near, far] = thoroughness.map((count, depth) => perPath(clausesOf(grounds, schema, depth), count))
    const denied = [own, near].flatMap((clauses = []) => clauses.filter((_, i) => i % 2 === 0)).map(inNot)
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
  return [...paths.values()].flatMap((all, turn) =>
    Array.from({ length: Math.min(count, all.length) }, (_, i) => all[(turn + i) % all.length] as Clause),
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

type Look = (document: unknown, asked: string, seen: Set<string>) => string[]

/** Finds identifiers, links and values of hidden rows anywhere in a document. What only repeats the request is no leak. */
function lookFor(world: World): Look {
  const schemas = schemasOf(world)
  const hidden = new Map(schemas.map((schema) => [schema.type, new Set(hiddenRows(world, schema).map(({ id }) => id))]))
  const ids = new Set([...hidden.values()].flatMap((each) => [...each]))
  const markers = [...world.hidden.values()].flat().flatMap((row) => row.markers)

  const tells = (value: unknown): string | undefined =>
    ids.has(String(value)) ? String(value) : markers.find((marker) => String(value).includes(marker))
  const links = (value: string): boolean => {
    const [type = '', id = ''] = new URL(value).pathname.slice(world.server.basePath.length + 1).split('/')
    return hidden.get(type)?.has(decodeURIComponent(id)) ?? false
  }
  const visit = (value: unknown, at: string, sink: Sink): void => {
    if (typeof value === 'string' && at.includes('.links.')) {
      if (links(value)) sink.found.push(`links to a hidden row at ${at}`)
      return
    }
    if (typeof value !== 'object' || value === null) {
      const marker = tells(value)
      if (marker !== undefined && !isEcho(value, marker, sink)) sink.found.push(`tells ${marker} at ${at}`)
      return
    }
    const { type, id } = value as { type?: unknown; id?: unknown }
    if (typeof type === 'string' && typeof id === 'string') sink.seen.add(`${type}/${id}`)
    for (const [name, member] of Object.entries(value)) visit(member, `${at}.${name}`, sink)
  }
  return (document, asked, seen) => {
    const sink = { found: [], asked, seen, isError: 'errors' in (document as object) }
    visit(document, '', sink)
    return sink.found
  }
}

/** What only repeats the request: an error that quotes it, a page by its number. */
const isEcho = (value: unknown, marker: string, { isError, asked }: Sink): boolean =>
  isError ? asked.includes(marker) : asked.endsWith(`]=${value}`) && asked.includes('?page[')

interface Sink {
  readonly found: string[]
  readonly asked: string
  readonly seen: Set<string>
  readonly isError: boolean
}

const schemasOf = (world: World): readonly ResourceSchema[] => [...world.server.schemas.byType.values()]

function groundsOf(world: World): Grounds {
  const { schemas, resources } = world.server
  const all = schemasOf(world)
  return {
    registry: schemas,
    provider: resources.provider,
    rows: new Map(all.map((schema) => [schema.type, [...hiddenRows(world, schema), ...shownRows(world, schema)]])),
    missing: new Map(all.map(({ type, model }) => [type, world.missing.get(model.name) as string])),
  }
}

const hiddenRows = ({ hidden }: World, schema: ResourceSchema): readonly KnownRow[] =>
  (hidden.get(schema.model.name) ?? []).map(({ row }) => toKnown(schema, row))

const shownRows = ({ shown }: World, schema: ResourceSchema): readonly KnownRow[] =>
  (shown.get(schema.model.name) ?? []).map((row) => toKnown(schema, row))

function toKnown(schema: ResourceSchema, row: Row): KnownRow {
  const values = [...schema.attributes.values()]
    .filter(({ column }) => column !== null)
    .map((attribute) => [attribute.name, attribute.serialize(row)] as const)
    .filter(([, value]) => value !== null && value !== undefined)
  return { id: schema.id.format(row), values: new Map(values.map(([name, value]) => [name, String(value)])) }
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
