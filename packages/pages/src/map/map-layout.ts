import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'

/** A type on the map: the middle of its box. */
export interface MapBox {
  readonly schema: ResourceSchema
  readonly x: number
  readonly y: number
}

/** What leads from one type to another, both ways in one line. */
export interface Road {
  readonly from: MapBox
  readonly to: MapBox
  /** `posts.author, users.posts` */
  readonly names: readonly string[]
  /** Does either end hold several. */
  readonly isMany: { readonly from: boolean; readonly to: boolean }
}

export interface MapLayout {
  readonly width: number
  readonly height: number
  readonly places: readonly MapBox[]
  readonly roads: readonly Road[]
}

export const boxWidth = 150
export const boxHeight = 44

/** The types on an ellipse, neighbours near each other: a straight line between two of them crosses no third. */
export function mapLayout(registry: SchemaRegistry): MapLayout {
  const schemas = nearEachOther(registry)
  const radius = Math.max(130, (schemas.length * boxHeight * 1.7) / Math.PI)
  const across = radius * 1.7
  const width = 2 * across + boxWidth + 20
  const height = 2 * radius + boxHeight + 20
  const places = schemas.map((schema, i): MapBox => {
    const angle = (i / schemas.length) * 2 * Math.PI - Math.PI / 2
    const isAlone = schemas.length === 1
    return {
      schema,
      x: Math.round(width / 2 + (isAlone ? 0 : across * Math.cos(angle))),
      y: Math.round(height / 2 + (isAlone ? 0 : radius * Math.sin(angle))),
    }
  })
  return { width: Math.round(width), height: Math.round(height), places, roads: roadsOf(registry, places) }
}

const neighbours = (registry: SchemaRegistry, schema: ResourceSchema): readonly ResourceSchema[] =>
  [...schema.relations.values()].flatMap((relation) => targetSchemas(registry, relation))

/** Depth first, from the type with most relations on. */
function nearEachOther(registry: SchemaRegistry): readonly ResourceSchema[] {
  const ordered = new Set<ResourceSchema>()
  const visit = (schema: ResourceSchema): void => {
    if (ordered.has(schema)) return
    ordered.add(schema)
    neighbours(registry, schema).forEach(visit)
  }
  ;[...registry.byType.values()].sort((a, b) => b.relations.size - a.relations.size).forEach(visit)
  return [...ordered]
}

function roadsOf(registry: SchemaRegistry, places: readonly MapBox[]): readonly Road[] {
  const placeOf = new Map(places.map((place) => [place.schema, place]))
  const roads = new Map<string, Road>()
  for (const from of places) {
    for (const relation of from.schema.relations.values()) {
      for (const target of targetSchemas(registry, relation)) {
        const to = placeOf.get(target) as MapBox
        const isTurned = places.indexOf(to) < places.indexOf(from)
        const [a, b] = isTurned ? [to, from] : [from, to]
        const key = `${a.schema.type} ${b.schema.type}`
        const known = roads.get(key)
        const isMany = isToMany(relation)
        roads.set(key, {
          from: a,
          to: b,
          names: [...(known?.names ?? []), `${from.schema.type}.${relation.name}`],
          isMany: {
            from: (known?.isMany.from ?? false) || (isTurned && isMany),
            to: (known?.isMany.to ?? false) || (!isTurned && isMany),
          },
        })
      }
    }
  }
  return [...roads.values()].filter(({ from, to }) => from !== to)
}
