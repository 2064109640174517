import { Server, type Serving } from 'prismapi'

/** Where everybody finds a room, and asks for an hour of it. */
export default class Site extends Server {
  override readonly name = 'site'
  override readonly version = '1.1'
  override readonly models = ['Studio', 'Room', 'Booking'] as const

  override authenticate() {
    return null
  }

  override serving(phase: Serving): void {
    phase.scope('Studio', {})
    phase.scope('Room', {})
    phase.scope('Booking', { OR: [] })
    phase.creating('Booking', async ({ roomId = 0 }, { find }) => {
      const room = await find('Room', roomId)
      return { status: 'REQUESTED' as const, studioId: room?.studioId ?? 0 }
    })
  }
}
