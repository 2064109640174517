import { Policy, type Rules } from 'prismapi'

/** Everybody may ask for a room, and nobody sees who else has. */
export default class BookingPolicy extends Policy<'Booking'> {
  override abilities({ can }: Rules<'Booking'>) {
    can('create')
  }
}
