import path from 'node:path'
import { serversOf } from '@prismapi/testing/internal/kit/tested'
import { discover } from 'prismapi'
import { resources } from '../../../prisma/generated/resources.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** The servers of the example, as values. */
export const servers = serversOf({ resources, ...(await discover({ root, resources })) })

export const schemas = servers.flatMap((server) =>
  [...server.schemas.byType.values()].map((schema) => ({ server, schema })),
)

/** The names of all types and fields. */
export const names: readonly string[] = [
  ...new Set(schemas.flatMap(({ schema }) => [schema.type, ...schema.attributes.keys(), ...schema.relations.keys()])),
]

/** One of the items by the first character of an input, and the rest of the input. */
export function chosenBy<T>(input: string, items: readonly T[]): readonly [item: T, rest: string] {
  return [items[input.charCodeAt(0) % items.length] ?? (items[0] as T), input.slice(1)]
}

/** A character by which `chosenBy` takes the item. */
export const characterOf = (at: number): string => String.fromCharCode(at)
