import type { CompiledServer } from '@prismapi/core/server/compile'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'

/** A collection that is asked for, with its parameters. */
export interface Asked {
  readonly type: string
  readonly parameters: readonly (readonly [key: string, value: string])[]
}

export const urlOf = (server: CompiledServer, { type, parameters }: Asked): string => {
  const query = new Map(parameters)
  return `${server.basePath}/${type}?${[...query].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`
}

/** Some rows of each type, whose values are asked for. */
export type Samples = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>

/** Random queries over all that a server offers, from a seed: the same ones each time. They ask for values that there are. */
export function randomQueries({ schemas }: CompiledServer, samples: Samples, seed: number) {
  let state = seed
  // Mulberry32.
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number): number => Math.floor(random() * n)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const types = [...schemas.byType.values()]

  function path(
    schema: ResourceSchema,
    hops: number,
  ): { readonly names: readonly string[]; readonly end: ResourceSchema } {
    const names: string[] = []
    let end = schema
    for (let i = 0; i < hops; i++) {
      const relation = pick([...end.relations.values()])
      names.push(relation.name)
      end = pick(targetSchemas(schemas, relation))
    }
    return { names, end }
  }

  /** A piece of a text, from one letter to eight. */
  function piece(text: string): string {
    const length = 1 + below(8)
    return text.slice(below(Math.max(1, text.length - length))).slice(0, length)
  }

  /** The first or the last letters. */
  const end = (text: string): string => text.slice(-1 - below(8))

  function filter(schema: ResourceSchema): [string, string] {
    const { names, end: last } = path(schema, pick([0, 0, 0, 1, 1, 2]))
    if (below(4) === 0) return byRelation(names, last)
    const attributes = [...last.attributes.values()].filter(({ column, writeOnly }) => column && !writeOnly)
    const attribute = pick(attributes)
    const row = pick(samples.get(last.type) ?? [])
    const value = attribute?.column ? row[attribute.column.name] : null
    const key = [...names, attribute?.name ?? 'id'].join('.')
    if (typeof value === 'string') {
      const operator = pick(['contains', 'contains', 'endsWith', 'equals'] as const)
      return [
        `filter[${key}][${operator}]`,
        { contains: piece, endsWith: end, equals: (text: string) => text }[operator](value),
      ]
    }
    if (value instanceof Date) return [`filter[${key}][${pick(['gt', 'lt'])}]`, value.toISOString()]
    if (typeof value === 'number') return [`filter[${key}][${pick(['gt', 'lt', 'equals'])}]`, String(value)]
    if (typeof value === 'boolean') return [`filter[${key}]`, String(value)]
    return [`filter[${[...names, 'id'].join('.')}]`, String(row.id)]
  }

  /** The rows that a row of another type has. */
  function byRelation(names: readonly string[], schema: ResourceSchema): [string, string] {
    const [key] = Object.values(schema.model.relations).filter(
      ({ foreignKey }) => foreignKey !== null && below(2) === 0,
    )
    const relation = [...schema.relations.values()].find((each) => 'field' in each && each.field === key?.name)
    const value = key && pick(samples.get(schema.type) ?? [])[key.foreignKey?.columns[0] ?? '']
    return [`filter[${[...names, relation?.name ?? 'id'].join('.')}]`, String(value ?? 1)]
  }

  const include = (schema: ResourceSchema): string =>
    Array.from({ length: 1 + below(4) }, () => path(schema, 1 + below(3)).names.join('.')).join(',')

  function one(schema: ResourceSchema): [string, string] {
    const sizeKey = schema.paginator?.keys.find((key) => key === 'size' || key === 'limit')
    switch (below(5)) {
      case 0:
        return ['include', include(schema)]
      case 1:
        return sizeKey ? [`page[${sizeKey}]`, String(pick([1, 5, 20, 100, 200, 1000]))] : ['include', include(schema)]
      case 2:
        return ['sort', pick(['', '-']) + pick([...schema.attributes.keys(), 'id'])]
      default:
        return filter(schema)
    }
  }

  /** One of several, or none. */
  function grouped(schema: ResourceSchema): [string, string] {
    const [key, value] = filter(schema)
    return [`filter[${pick(['or', 'not', 'and'])}][${below(3)}]${key.slice('filter'.length)}`, value]
  }

  return {
    /** Any query. */
    next(): Asked {
      const schema = pick(types)
      return { type: schema.type, parameters: Array.from({ length: 1 + below(4) }, () => one(schema)) }
    },
    /** A neighbour of a query: with one part more, another one, or one less. */
    near({ type, parameters }: Asked): Asked {
      const schema = schemas.byType.get(type) as ResourceSchema
      const rest = parameters.filter(() => random() > 0.15)
      return {
        type,
        parameters: [
          ...rest,
          ...Array.from({ length: 1 + below(2) }, () => (below(4) === 0 ? grouped(schema) : one(schema))),
        ],
      }
    },
  }
}
