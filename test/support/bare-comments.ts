import { commentRow, planSizes } from '../../prisma/seed-rows.ts'
import { expectAnswer } from './answers.ts'
import { pageDocument, pathOf, type Query, urlOf } from './open-server.ts'
import type { Ask } from './servers.ts'

const sizes = planSizes()

/** A comment of the seed where a server serves nothing that it has a relation to. */
const bareComment = (server: string, id: number) => ({
  type: 'comments',
  id: String(id),
  attributes: { content: `Comment ${id}.`, createdAt: (commentRow(id, sizes).createdAt as Date).toISOString() },
  links: { self: urlOf(server, `/comments/${id}`) },
})

/** The comments from one id to another, up or down. */
export function bareComments(server: string, from: number, to: number) {
  const step = from <= to ? 1 : -1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => bareComment(server, from + step * index))
}

export interface ShownPage {
  readonly asked: Query
  readonly filter?: Query
  /** The ids of the first and the last comment; none when the page is empty. */
  readonly data?: readonly [number, number]
  readonly meta: object
  readonly sides: Readonly<Record<string, Query>>
}

/** Asks for a page of comments, and expects the whole document. `filter` is kept in every link. */
export async function expectPage(ask: Ask, server: string, shown: ShownPage): Promise<void> {
  const { filter = {}, data, meta } = shown
  const asked = { ...filter, ...shown.asked }
  // `filter` sorts before `page`, as links have it.
  const sides = Object.fromEntries(Object.entries(shown.sides).map(([name, query]) => [name, { ...filter, ...query }]))
  const document = pageDocument(server, '/comments', {
    asked,
    data: data ? bareComments(server, ...data) : [],
    meta,
    sides,
  })
  expectAnswer(await ask('GET', pathOf(server, '/comments', asked)), 200, document)
}

/** A filter that no comment of the seed meets. */
export const noComment = { 'filter[content]': 'There is no such comment.' }
