import type { Serving } from 'prismapi'
import { hashPassword } from './password.ts'

/** What the OpenAPI document of every server of the example says. */
export const described = {
  title: 'A publishing site',
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token, which `npm run token` prints.',
    },
  },
  examples: {
    users: '3',
    profiles: '3',
    posts: '1',
    tags: '2',
    comments: '1',
    videos: '00000000-0000-4000-8000-000000000001',
  },
}

/** What holds on every server of the example: who sees which posts, and what a new row is filled with. */
export function serveExample(phase: Serving): void {
  const { user } = phase
  if (user?.role !== 'EDITOR' && user?.role !== 'ADMIN') {
    const published = { publishedAt: { lt: new Date() } }
    phase.scope('Post', user ? { OR: [published, { authorId: user.id }] } : published)
  }
  // A hash takes its time, which no other write has to wait for.
  phase.preparing('User', async (_, { input: { password } }) =>
    typeof password === 'string' ? { passwordHash: await hashPassword(password) } : {},
  )
  if (!user) return
  phase.creating('Post', ({ authorId = user.id }) => ({ authorId }))
  phase.creating('Comment', ({ authorId = user.id }) => ({ authorId }))
  phase.creating('Video', ({ ownerId = user.id }) => ({ ownerId }))
}
