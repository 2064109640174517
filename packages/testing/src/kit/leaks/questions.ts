import type { Row } from '@prismapi/jsonapi/model/where'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { randomFrom } from '../random.ts'
import { type Clause, clausesOf, filterUrl } from './filters.ts'
import { collectionUrls, type KnownRow, memberUrls, resourceUrls } from './urls.ts'
import { groundsOf, hiddenMembers, hiddenRows, schemasOf, shownRows, toKnown, type World } from './world.ts'

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

/** Rows of each type, next to hidden ones, of which everything is asked. */
const nearAtMost = 3

/** What is most likely to tell of hidden rows: what includes them, what is related to them, and they themselves. */
export function nearbyUrls(world: World, near: ReadonlyMap<string, readonly Row[]>): string[] {
  const grounds = groundsOf(world)
  return schemasOf(world).flatMap((schema) => {
    const includes = [...schema.relations.keys()].map((name) => `?include=${name}`)
    const hidden = hiddenRows(world, schema).slice(0, nearAtMost)
    return [
      `/${schema.type}`,
      ...includes.map((include) => `/${schema.type}${include}`),
      ...urlsByHidden(world, schema),
      ...[...nearOf(schema, near), ...hidden].flatMap(({ id }) => [
        ...includes.map((include) => `/${schema.type}/${encodeURIComponent(id)}${include}`),
        ...resourceUrls(grounds, schema, id, false),
      ]),
    ]
  })
}

/** A collection by fields that are hidden of some of its rows: in their order, and counted. */
const urlsByHidden = (world: World, schema: ResourceSchema): readonly string[] =>
  [...new Set(hiddenMembers(world, schema).map(({ name }) => name))].flatMap((name) => {
    const url = `/${schema.type}`
    const relation = schema.relations.get(name)
    if (relation) return isToMany(relation) && relation.isCountable ? [`${url}?withCount=${name}`] : []
    return [`${url}?sort=${name}`, `${url}?sort=-${name}`]
  })

/** The same rows by every include path. */
export function nearbyIncludeUrls(world: World, near: ReadonlyMap<string, readonly Row[]>): string[] {
  const grounds = groundsOf(world)
  return schemasOf(world).flatMap((schema) =>
    nearOf(schema, near).flatMap(({ id }) => resourceUrls(grounds, schema, id, true)),
  )
}

const nearOf = (schema: ResourceSchema, near: ReadonlyMap<string, readonly Row[]>): readonly KnownRow[] =>
  (near.get(schema.model.name) ?? []).slice(0, nearAtMost).map((row) => toKnown(schema, row))

/**
 * How many conditions each path of a filter gets: on a field, across one relation, across two (¼: every fourth path).
 */
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
  const countAt = (turn: number) => Math.floor((turn + 1) * count) - Math.floor(turn * count)
  return [...paths.values()].flatMap((all, turn) =>
    Array.from({ length: Math.min(countAt(turn), all.length) }, (_, i) => all[(turn + i) % all.length] as Clause),
  )
}

/** Collections by random groups of filters, nested `or`, `and` and `not`. The same seed makes the same ones. */
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
