import { array, date, dateTime, meta, Schema } from 'prismapi'
import { endOf, hoursOf } from './opening-hours.ts'

export default class RoomSchema extends Schema<'Room'> {
  override fields() {
    return [this.relation('bookings').hidden()]
  }

  override actions() {
    return [
      this.action('slots', {
        method: 'GET',
        description: 'The hours of a day in which the room is free.',
        query: { day: date().required() },
        meta: { free: array(dateTime().required()).required() },
        async handle({ row: { id: roomId }, query: { day }, asSystem }) {
          const hours = hoursOf(day)
          const isThatDay = { startsAt: { lt: endOf(hours.at(-1) as Date) }, endsAt: { gt: hours[0] as Date } }
          const where = { roomId, status: { not: 'CANCELLED' }, ...isThatDay } as const
          const taken = await asSystem().booking.findMany({ where, select: { startsAt: true, endsAt: true } })
          const isFree = (hour: Date) => !taken.some(({ startsAt, endsAt }) => startsAt < endOf(hour) && endsAt > hour)
          return meta({ free: hours.filter(isFree).map((hour) => hour.toISOString()) })
        },
      }),
    ]
  }
}
