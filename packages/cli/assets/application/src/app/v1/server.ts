import { Server, type Serving } from 'prismapi'

/** The API below /api/v1: every model of prisma/schema.prisma that is not hidden. */
export default class V1 extends Server {
  override readonly name = 'v1'
  override readonly challenge = 'Bearer'
  // What a caller may not view is absent everywhere: from includes, linkage, totals and filters.
  override readonly viewEverywhere = true

  override serving(phase: Serving): void {
    const { user } = phase
    // Drafts, and what is said about them, are there for their author alone.
    const published = { publishedAt: { lte: new Date() } }
    const visible = user ? { OR: [published, { authorId: user.id }] } : published
    phase.scope('Post', visible)
    phase.scope('Comment', { post: visible })
    if (!user) return
    phase.creating('Post', () => ({ authorId: user.id }))
    phase.creating('Comment', () => ({ authorId: user.id }))
  }
}
