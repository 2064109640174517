import { Schema } from 'prismapi'
import { bookingConstraints } from '../booking-constraints.ts'

export default class BookingSchema extends Schema<'Booking'> {
  override readonly defaultSort = 'startsAt'
  override constraints = bookingConstraints

  override fields() {
    return [this.attribute('guestName').asReadOnly(), this.attribute('guestEmail').asReadOnly()]
  }
}
