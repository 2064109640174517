import { Schema } from 'prismapi'
import { bookingConstraints } from '../booking-constraints.ts'

export default class BookingSchema extends Schema<'Booking'> {
  override constraints = bookingConstraints
}
