import { dateTime, enumOf, ResourceRequest, toOne } from 'prismapi'

const rules = {
  startsAt: dateTime().required(),
  endsAt: dateTime().required(),
  status: enumOf(['REQUESTED', 'CONFIRMED', 'CANCELLED']),
  room: toOne().required(),
  artist: toOne().nullable(),
}

export default class BookingRequest extends ResourceRequest<'Booking'> {
  override rules() {
    return this.checked(rules)
  }
}
