import { dateTime, future, ResourceRequest, string, toOne } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import { isOpen } from '../../src/app/site/opening-hours.ts'

const rules = {
  startsAt: dateTime().required().test(future()),
  endsAt: dateTime().required(),
  guestName: string().required().max(200),
  guestEmail: string().email().required().max(200),
  room: toOne().required(),
}

export default class SiteBookingRequest extends ResourceRequest<'Booking'> {
  override rules() {
    return this.checked(rules)
  }

  override withValidator(validator: Validator) {
    validator.after(() => {
      const { startsAt, endsAt } = this.validated() as { startsAt: string; endsAt: string }
      if (!isOpen(new Date(startsAt), new Date(endsAt)))
        validator.fail('startsAt', 'Whole hours of one day, from 9 to 21 o’clock.', 'open')
    })
  }
}
