import { bookingOnce } from '../../support/cookbook/double-booking.ts'

bookingOnce('sqlite', { 'by the hook': { arrange: [], refusal: {}, holdsForAll: false } })
