import { Policy, type Rules, type User } from 'prismapi'

export default class BookingPolicy extends Policy<'Booking'> {
  override abilities({ can, cannot }: Rules<'Booking'>, user: User | null) {
    if (!user) return
    can(this.reads)
    if (user.role === 'ENGINEER') return cannot('view', ['guestName', 'guestEmail', 'invoice'])
    can(['create', 'update', 'updateArtist'])
  }
}
