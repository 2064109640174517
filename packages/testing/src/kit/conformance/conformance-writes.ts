import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Asker } from '../tested.ts'

/** What a resource is created from. */
export interface NewResource {
  /** For types whose ids the client chooses. */
  readonly id?: string
  /** As in a document. */
  readonly attributes?: Readonly<Record<string, unknown>>
  /** As in a document: `{ author: { data: { type: 'users', id: '1' } } }`. */
  readonly relationships?: Readonly<Record<string, unknown>>
}

/** Makes another one each time. It is told the name of the server, where they differ. */
export type Maker = (server: string) => Awaitable<NewResource>

/** What `conformance` may write. */
export interface ConformanceWrites {
  /** The caller who may do it. */
  readonly as: string
  /** By type: makes the attributes and relationships of a new resource, different each time. Updates send them, too. */
  readonly make: Readonly<Record<string, Maker>>
  /**
   * By type: attributes that the application changes or does not let change: `{ posts: ['slug'] }`. They are neither
   * compared nor updated.
   */
  readonly adjusted?: Readonly<Record<string, readonly string[]>>
}

/** @throws {Error} for an unknown caller, type or attribute, which would not be tested. */
export function expectWrites(askers: readonly Asker[], { as, make, adjusted = {} }: ConformanceWrites): void {
  const names = new Set(askers.map(({ caller }) => caller))
  if (!names.has(as))
    throw new Error(
      `conformance({ writes: { as: '${as}' } }): no such caller. Name one of \`callers\`: ${[...names].join(', ')}.`,
    )
  const schemas = askers.flatMap(({ server }) => [...server.schemas.byType.values()])
  const creatable = new Set(schemas.filter(({ operations }) => operations.has('create')).map(({ type }) => type))
  for (const type of Object.keys(make))
    if (!creatable.has(type))
      throw new Error(
        `conformance({ writes: { make: { ${type} } } }): no server creates such a type. Name one of ${[...creatable].join(', ')}.`,
      )
  for (const [type, attributes] of Object.entries(adjusted)) {
    const known = new Set(
      schemas.filter((schema) => schema.type === type).flatMap((schema) => [...schema.attributes.keys()]),
    )
    for (const name of attributes)
      if (!known.has(name))
        throw new Error(
          `conformance({ writes: { adjusted: { ${type}: ['${name}'] } } }): ${known.size > 0 ? `no such attribute. Name one of ${[...known].join(', ')}` : 'no server has such a type'}.`,
        )
  }
}
