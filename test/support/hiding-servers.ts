import type { Serving } from 'prismapi'
import V1 from '../../src/app/v1/server.ts'
import V2 from '../../src/app/v2/server.ts'

// What hides the hidden rows of `hidden-world.ts`.

/** The first server with rows of every model hidden from everybody; one post lies in its bin, which nobody sees there. */
export class HidingServer extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    hide(phase)
  }
}

/** The second server with the same rows hidden: those who see its bin do not see this post in it. */
export class HidingV2 extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    hide(phase)
    phase.scope('Post', { NOT: { title: { contains: 'binned' } } })
  }
}

function hide(phase: Serving): void {
  phase.scope('User', { name: { not: { startsWith: 'Hidden' } } })
  phase.scope('Profile', { website: { startsWith: 'https://shown' } })
  phase.scope('Post', { NOT: { title: { contains: 'hidden' } } })
  phase.scope('Tag', { NOT: { name: { startsWith: 'hidden' } } })
  phase.scope('Video', { rating: { gte: 1 } })
  phase.scope('Video', { OR: [{ ownerId: null }, { owner: { role: { not: 'EDITOR' } } }] })
  phase.scope('Comment', () => ({ content: { not: { contains: 'hidden' } } }))
}
