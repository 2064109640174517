import type { Identifier } from '@prismapi/jsonapi/document/types'

declare const identity: unique symbol

/** A row that knows by which type and id the API shows it: what factories create. */
export interface Identified {
  /** @internal */
  readonly [identity]: Identifier
}

// Beside the rows, which may be frozen, and are compared and written as JSON.
const identities = new WeakMap<object, Identifier>()

/** What names one resource: its type and id, or a row that a factory created. */
export type Named = Identified | { readonly type: string; readonly id: string | number | bigint }

/** Lets this row, and no copy of it, stand wherever a test names a resource. The last call for a row counts. */
export function identified<T extends object>(row: T, { type, id }: Identifier): T & Identified {
  identities.set(row, Object.freeze({ type, id }))
  return row as T & Identified
}

export const isIdentified = (value: unknown): value is Identified =>
  typeof value === 'object' && value !== null && identities.has(value)

/**
 * The resource identifier object of what names a resource (JSON:API, *Resource Identifier Objects*).
 *
 * @example
 * const { post: posts } = factories(resources, prisma)
 * const post = await posts.create()
 * identifierOf(post) // { type: 'posts', id: '1' }
 * identifierOf({ type: 'posts', id: 1 }) // the same
 */
export const identifierOf = (named: Named): Identifier =>
  isIdentified(named) ? (identities.get(named) as Identifier) : { type: named.type, id: String(named.id) }

/**
 * The resource identifier objects of rows that no factory created, by their column `id`.
 *
 * @example
 * expectFetchedMany(answer, identifiersOf('tags', await prisma.tag.findMany()))
 */
export const identifiersOf = (
  type: string,
  rows: readonly { readonly id: string | number | bigint }[],
): readonly Identifier[] => rows.map(({ id }) => identifierOf({ type, id }))
