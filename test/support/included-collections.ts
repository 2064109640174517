import { expect } from 'vitest'
import { type Caller, origin } from './api.ts'
import { type Query, urlOf } from './open-server.ts'
import { identifier } from './row-documents.ts'

// What documents say of to-many relations that are included.

interface Shown {
  readonly server: string
  /** Of the resource that has the relation: `/users/5`. */
  readonly path: string
  readonly relation: string
  readonly data: readonly object[]
  /** The query of the link `next`; left out, there is none. */
  readonly next?: Query
  readonly meta?: object
}

export function shownRelationship({ server, path, relation, data, next, meta }: Shown) {
  const self = `${path}/relationships/${relation}`
  return {
    links: {
      self: urlOf(server, self),
      related: urlOf(server, `${path}/${relation}`),
      ...(next && { next: urlOf(server, self, next) }),
    },
    data,
    ...(meta && { meta }),
  }
}

/** A resource of which a sparse field set left that relation. */
export function parentOf(type: string, id: number | string, shown: Omit<Shown, 'path'>) {
  const path = `/${type}/${id}`
  const { server, relation } = shown
  return {
    ...identifier(type, id),
    relationships: { [relation]: shownRelationship({ ...shown, path }) },
    links: { self: urlOf(server, path) },
  }
}

/** Resources of which a sparse field set left nothing. */
export const bare = (server: string, type: string, ids: readonly (number | string)[]) =>
  ids.map((id) => ({ ...identifier(type, id), links: { self: urlOf(server, `/${type}/${id}`) } }))

export const identifiers = (type: string, ids: readonly (number | string)[]) => ids.map((id) => identifier(type, id))

export const page = (perPage: number, hasMore: boolean) => ({ page: { hasMore, perPage } })

interface Relationship {
  readonly links: { readonly next?: string }
  readonly data: readonly { readonly id: string }[]
}

/** The ids of a relationship as a client meets them that follows `next` to the end. */
export async function walk(ask: Caller['request'], relationship: Relationship): Promise<number[]> {
  const ids: number[] = []
  let at: Relationship = relationship
  for (;;) {
    ids.push(...at.data.map(({ id }) => Number(id)))
    const { next } = at.links
    if (!next) return ids
    const { status, body } = await ask('GET', next.replace(origin, ''))
    expect([next, status]).toEqual([next, 200])
    at = body
  }
}
