/** What the database refuses, and what clients read of it. */
export const bookingConstraints = {
  booking_no_overlap: { field: 'startsAt', message: 'The room is taken at that time.' },
  booking_ends_later: { field: 'endsAt', message: 'The end must be after the start.' },
} as const
