import { bookingOnce } from '../../support/cookbook/double-booking.ts'

bookingOnce('postgresql', {
  'by the constraint, and the hook behind it': { arrange: [], refusal: { code: 'constraint' }, holdsForAll: true },
  'by the hook alone': {
    arrange: ['ALTER TABLE "Booking" DROP CONSTRAINT "booking_no_overlap"'],
    refusal: {},
    holdsForAll: false,
  },
})
