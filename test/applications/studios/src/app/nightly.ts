import type { PrismApi } from 'prismapi'

const day = 86_400_000
const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

/** Every night: an invoice for each session that is over, and a word on what was not paid in time. */
export async function runNight(api: PrismApi, now = new Date()): Promise<{ billed: number; overdue: number }> {
  const job = api.asSystem('nightly invoices', { server: 'desk' })
  const told = { billed: 0, overdue: 0 }
  const isOver = {
    status: 'CONFIRMED',
    endsAt: { lte: now },
    artist: { exists: true },
    invoice: { exists: false },
  } as const
  for await (const { id, startsAt, endsAt, room, artist } of job.list('Booking', {
    filter: isOver,
    include: ['room'],
  })) {
    if (!room) continue
    const hours = (Date.parse(endsAt) - Date.parse(startsAt)) / 3_600_000
    await job.transaction(async (within) => {
      const dates = { issuedOn: dayOf(now), dueOn: dayOf(new Date(now.getTime() + 14 * day)) }
      const invoice = await within.create('Invoice', { ...dates, artist, booking: id })
      const description = `${room.name}, ${dayOf(new Date(startsAt))}`
      await within.create('InvoiceLine', {
        invoice,
        description,
        quantity: hours.toFixed(2),
        unitPrice: room.hourlyRate,
      })
    })
    told.billed++
  }
  const isLate = { status: 'OPEN', dueOn: { lt: dayOf(now) } } as const
  for await (const { id } of job.list('Invoice', { filter: isLate })) {
    await job.act('Invoice', id, 'expire')
    told.overdue++
  }
  return told
}
