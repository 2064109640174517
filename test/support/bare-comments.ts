import { commentRow, planSizes } from '../../prisma/seed-rows.ts'
import { urlOf } from './open-server.ts'

const sizes = planSizes()

/** A comment of the seed where a server serves nothing that it has a relation to. */
export const bareComment = (server: string, id: number) => ({
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
