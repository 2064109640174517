import type { Comment, Post, Profile, Tag, User, Video } from '../../prisma/generated/client/client.ts'
import { origin } from './api.ts'

// What the first server is expected to say of a row: written out from the description of the example, so that nothing
// of the server takes part in it.

export const jsonapi = { version: '1.0' }

type Parameters = Readonly<Record<string, string | number>>

/** A public URL below `/api/v1`, with its query as links spell it. */
export function at(path: string, query: Parameters = {}): string {
  const pairs = Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
  return `${origin}/api/v1${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

type Data = object | null | readonly object[]

/** A document about what its own URL names. */
export const documentOf = <T extends Data, More extends object>(self: string, data: T, more?: More) => ({
  jsonapi,
  links: { self },
  data,
  ...more,
})

/** A document of linkage, with the links of its relationship. `path` is that of the resource. */
export const relationshipDocument = (path: string, name: string, data: Data, more: object = {}) => ({
  jsonapi,
  links: relationshipLinks(path, name),
  data,
  ...more,
})

/** A page that knows its total. `order` is the sort that links name. */
export function pageOf(
  path: string,
  asked: { number: number; size: number; total: number; sort?: string; query?: Parameters },
) {
  const { number, size, total, sort, query = {} } = asked
  const lastPage = Math.max(1, Math.ceil(total / size))
  const shown = Math.max(0, Math.min(size, total - (number - 1) * size))
  const from = shown === 0 ? 0 : (number - 1) * size + 1
  const page = (n: number) => {
    const parameters = { ...query, 'page[number]': n, 'page[size]': size, ...(sort && { sort }) }
    return at(path, Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))))
  }
  return {
    links: {
      first: page(1),
      ...(number > 1 && { prev: page(number - 1) }),
      ...(number < lastPage && { next: page(number + 1) }),
      last: page(lastPage),
    },
    meta: {
      page: { currentPage: number, from, lastPage, perPage: size, to: shown === 0 ? 0 : from + shown - 1, total },
    },
  }
}

export const identifier = (type: string, id: string | number) => ({ type, id: String(id) })

const relationshipLinks = (path: string, name: string) => ({
  self: at(`${path}/relationships/${name}`),
  related: at(`${path}/${name}`),
})

/** Linkage by relation: only a relation that is included has any. */
type Linkage = Readonly<Record<string, Data>>

interface Shape {
  readonly type: string
  readonly relations: readonly string[]
}

function resource({ type, relations }: Shape, id: string | number, attributes: object, linkage: Linkage) {
  const relationship = (name: string) => ({
    links: relationshipLinks(`/${type}/${id}`, name),
    ...(name in linkage && { data: linkage[name] }),
  })
  return {
    type,
    id: String(id),
    attributes,
    relationships: Object.fromEntries(relations.map((name) => [name, relationship(name)])),
    links: { self: at(`/${type}/${id}`) },
  }
}

/** A resource of which a sparse field set left attributes and nothing else. */
export const sparse = (type: string, id: string | number, attributes?: object) => ({
  type,
  id: String(id),
  ...(attributes && { attributes }),
  links: { self: at(`/${type}/${id}`) },
})

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export function postResource(row: Post, linkage: Linkage = {}) {
  const { title, slug, content, synopsis } = row
  const dates = {
    publishedAt: iso(row.publishedAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
  const attributes = { title, slug, content, synopsis, ...dates }
  return resource({ type: 'posts', relations: ['author', 'tags', 'comments'] }, row.id, attributes, linkage)
}

export const tagResource = ({ id, name }: Tag, linkage: Linkage = {}) =>
  resource({ type: 'tags', relations: ['posts', 'videos'] }, id, { name }, linkage)

export function userResource({ id, name, email, role, ...row }: User, linkage: Linkage = {}) {
  const attributes = { name, email, role, createdAt: iso(row.createdAt), updatedAt: iso(row.updatedAt) }
  return resource({ type: 'users', relations: ['posts', 'comments', 'videos', 'profile'] }, id, attributes, linkage)
}

/** A user whom somebody else reads: an e-mail address is between its user and administrators. */
export const userToOthers = (row: User, linkage: Linkage = {}) => without(userResource(row, linkage), 'email')

/** A user whom a guest reads. */
export const userToGuests = (row: User, linkage: Linkage = {}) => without(userResource(row, linkage), 'email', 'role')

function without<T extends { readonly attributes: object }>(resource: T, ...names: readonly string[]): T {
  const shown = Object.entries(resource.attributes).filter(([name]) => !names.includes(name))
  return { ...resource, attributes: Object.fromEntries(shown) }
}

export const profileResource = ({ id, bio, website }: Profile, linkage: Linkage = {}) =>
  resource({ type: 'profiles', relations: ['user'] }, id, { bio, website }, linkage)

export const commentResource = ({ id, content, createdAt }: Comment, linkage: Linkage = {}) =>
  resource(
    { type: 'comments', relations: ['author', 'commentable'] },
    id,
    { content, createdAt: iso(createdAt) },
    linkage,
  )

export function videoResource(row: Video, linkage: Linkage = {}) {
  const { title, url, featured, durationSeconds, rating } = row
  const attributes = { title, url, featured, durationSeconds, rating, createdAt: iso(row.createdAt) }
  return resource({ type: 'videos', relations: ['owner', 'tags', 'comments'] }, row.id, attributes, linkage)
}
