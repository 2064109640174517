import type { Row } from '@prismapi/jsonapi/model/where'

// The rows of the twins, what is hidden among what is seen, in the middle of every order; their ids are from 1 to 99.

export type Rows = Readonly<Record<string, readonly Row[]>>

const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 0, minute))
const many = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const isVeiled = (id: number) => id % 4 === 3

/** What nobody sees is called otherwise, so that it is found in texts. */
const named = (what: string, id: number) =>
  isVeiled(id) ? `Mm hidden ${what} ${id}` : `${'AMZ'[id % 3]} ${what} ${id}`

const users = many(8).map((id) => ({
  id,
  name: named('user', id),
  email: `user-${id}@example.org`,
  role: id === 4 ? 'EDITOR' : 'MEMBER',
  pin: id % 5 === 0 ? null : 100 - id,
  veiled: isVeiled(id),
  createdAt: at(id % 5),
}))

const teams = many(6).map((id) => ({
  id,
  name: named('team', id),
  motto: id % 2 === 0 ? null : `Motto ${id}`,
  veiled: isVeiled(id),
}))

const memberships = [
  [1, 1],
  [1, 2],
  [1, 3],
  [2, 1],
  [2, 4],
  [3, 1],
  [4, 5],
  [5, 4],
  [5, 6],
  [7, 2],
].map(([userId = 0, teamId = 0], i) => ({
  userId,
  teamId,
  rank: i % 3,
  note: i % 2 ? null : `Note ${i}`,
  veiled: i === 7,
}))

const places = [
  ['de', 'ber', false],
  ['de', 'muc', true],
  ['fr', 'a_b', false],
  ['fr', 'par', false],
].map(([country, code, veiled]) => ({ country, code, title: veiled ? `Hidden place` : `Place ${code}`, veiled }))

const docs = many(18).map((id) => ({
  id,
  title: named('doc', id),
  slug: `${isVeiled(id) ? 'hidden' : 'doc'}-${id}`,
  body: id % 3 === 0 ? null : `${named('body', id)} of a document`,
  size: id % 4 === 0 ? null : (id * 7) % 11,
  price: id % 5 === 0 ? null : `${id}.5`,
  open: id % 2 === 0,
  publishedAt: id % 6 === 1 ? null : at(id),
  deletedAt: id % 7 === 5 ? at(500 + id) : null,
  createdAt: at(id % 6),
  updatedAt: at(100 + id),
  veiled: isVeiled(id),
  authorId: id % 9 === 0 ? null : 1 + (id % 8),
  teamId: id % 3 === 0 ? null : 1 + (id % 6),
  ...(id % 4 === 1 ? { country: 'de', code: id % 8 === 1 ? 'ber' : 'muc' } : { country: null, code: null }),
}))

const tags = many(6).map((id) => ({ id, name: id === 1 ? 'pick' : named('tag', id), veiled: isVeiled(id) }))

const remarks = many(16).map((id) => ({
  id,
  text: named('remark', id),
  stars: id % 5 === 0 ? null : (id % 6) - 0.5,
  createdAt: at(id % 4),
  veiled: isVeiled(id),
  authorId: 1 + (id % 8),
  docId: id % 3 === 0 ? null : 1 + ((id * 5) % 18),
  teamId: id % 3 === 0 && id % 2 === 0 ? 1 + (id % 6) : null,
}))

const marks = many(9).map((id) => ({
  id,
  colour: isVeiled(id) ? 'hidden' : ['red', 'green', null][id % 3],
  ...([
    { ownerType: 'doc', ownerId: String(2 * id) },
    { ownerType: 'user', ownerId: String(1 + (id % 8)) },
    { ownerType: 'place', ownerId: id % 2 ? 'de_ber' : 'de_muc' },
    { ownerType: null, ownerId: null },
  ][id % 4] as object),
  veiled: isVeiled(id),
}))

/** The rows of Prisma's table of links between documents and tags. */
const links = docs.flatMap(({ id }) =>
  tags.filter((tag) => (id * tag.id) % 3 === 1 || tag.id === id % 6).map((tag) => ({ A: id, B: tag.id })),
)

/** Whether a request names the two ends of a membership that nobody sees: who creates it is told that it is taken. */
export const isTaken = (request: string): boolean =>
  /users\/5\b|"users","id":"5"/.test(request) && /teams\/4\b|"teams","id":"4"/.test(request)

export const allRows: Rows = {
  ...{ User: users, Team: teams, Place: places, Tag: tags, Membership: memberships, Doc: docs },
  ...{ Remark: remarks, Mark: marks, _DocToTag: links },
} as never
