import { type Relation, targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { everybody } from '@prismapi/openapi/caller'
import type { DescribedServer } from '@prismapi/openapi/described'
import { fieldSorts, leadsToSorts } from '@prismapi/openapi/sort-parameter'
import { literal, memberName, union } from './type-text.ts'

interface RelationTypes {
  /** The members of `Includes`: where each relation that may be included leads to, by type. */
  readonly includes: string
  /** The members of `Sorts`: by what each type is sorted itself, and which relations lead to more. */
  readonly sorts: string
  /** The lengths of paths that are written out, as tuples. */
  readonly includeDepth: string
  readonly sortDepth: string
}

/** In: a server. Out: the graph of its types, of which TypeScript makes the paths of `include` and `sort`. */
export function relationTypes(server: DescribedServer): RelationTypes {
  const { schemas, limits } = server
  const types = [...schemas.byType.values()]
  const audience = everybody(server)
  // Where hidden values count as null, what is hidden from some can be sorted by.
  const isScoped = audience.masksValues ? () => false : audience.isScoped
  const included = new Map(types.map((schema) => [schema, edgesOf(server, schema, ({ isIncludable }) => isIncludable)]))
  const sorted = new Map(
    types.map((schema) => [schema, edgesOf(server, schema, (relation) => leadsToSorts(relation, isScoped))]),
  )
  const own = (schema: ResourceSchema) =>
    fieldSorts(server, schema, isScoped).flatMap(({ name, isBehindScope }) => (isBehindScope ? [] : [name]))
  const sorts = types.map(
    (schema) =>
      `${memberName(schema.type)}: { own: ${namesText(own(schema))}; through: ${edgesText(sorted.get(schema) ?? [])} }`,
  )
  return {
    includes: types.map((schema) => `${memberName(schema.type)}: ${edgesText(included.get(schema) ?? [])}`).join('\n'),
    sorts: sorts.join('\n'),
    includeDepth: depthText(limits.includeDepth, included, () => 0),
    // The last name of a path is no relation.
    sortDepth: depthText(limits.includeDepth, sorted, (schema) => own(schema).length),
  }
}

/** A relation by its name, and the types that it leads to. */
type Edge = readonly [name: string, targets: readonly ResourceSchema[]]

const edgesOf = (
  { schemas }: DescribedServer,
  { relations }: ResourceSchema,
  isFollowed: (relation: Relation) => boolean,
): readonly Edge[] =>
  [...relations.values()]
    .filter(isFollowed)
    .map((relation) => [relation.name, targetModels(relation).map((model) => schemaOf(schemas, model))])

const edgesText = (edges: readonly Edge[]): string =>
  edges.length === 0
    ? '{}'
    : `{ ${edges.map(([name, targets]) => `${memberName(name)}: ${namesText(targets.map(({ type }) => type))}`).join('; ')} }`

const namesText = (names: readonly string[]): string => union(names.map(literal))

// TypeScript refuses unions of 100 000, and an editor is slow long before.
const mostPaths = 10_000

type Graph = ReadonlyMap<ResourceSchema, readonly Edge[]>

/** As deep as the server goes, or as there are not too many paths: `[0, 0, 0]`. */
function depthText(most: number, graph: Graph, ownOf: (schema: ResourceSchema) => number): string {
  let depth = 0
  let level = new Map([...graph.keys()].map((schema) => [schema, ownOf(schema)]))
  while (depth < most) {
    const behind = level
    level = new Map([...graph].map(([schema, edges]) => [schema, ownOf(schema) + countOf(edges, behind)]))
    if (Math.max(...level.values()) > mostPaths) break
    depth++
  }
  // Paths that are longer end with any text.
  return `[${[...Array(depth).fill('0'), ...(depth < most ? ['...0[]'] : [])].join(', ')}]`
}

const countOf = (edges: readonly Edge[], behind: ReadonlyMap<ResourceSchema, number>): number =>
  edges.reduce((sum, [, targets]) => sum + targets.reduce((more, target) => more + (behind.get(target) ?? 0), 1), 0)
