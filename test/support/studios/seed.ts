import type { Studios } from './open.ts'

/** Those who work in the two studios, and their keys. */
export const keys = {
  ona: 'ona-is-the-owner-of-northside---',
  dee: 'dee-is-at-the-desk-of-northside-',
  eli: 'eli-is-an-engineer-of-northside-',
  eve: 'eve-is-an-engineer-of-northside-',
  hal: 'hal-is-the-owner-of-harbour-----',
} as const

/** By name, as `authenticate` gives them. */
const members = {
  ona: { id: 1, studioId: 1, role: 'OWNER' },
  dee: { id: 2, studioId: 1, role: 'DESK' },
  eli: { id: 3, studioId: 1, role: 'ENGINEER' },
  eve: { id: 4, studioId: 1, role: 'ENGINEER' },
  hal: { id: 5, studioId: 2, role: 'OWNER' },
} as const

/** Two studios, each with everything that there is; what is the second one's has ids behind those of the first. */
export async function seedStudios({ db, hashOf }: Studios): Promise<void> {
  for (const [name, city] of [
    ['Northside', 'Leeds'],
    ['Harbour', 'Bristol'],
  ])
    await db.studio.create({ data: { name, city } })
  for (const [name, { studioId, role }] of Object.entries(members)) {
    const keyHash = hashOf(keys[name as keyof typeof keys])
    await db.member.create({ data: { name, email: `${name}@studio-${studioId}.example`, role, studioId, keyHash } })
  }
  for (const [studioId, word, authorId] of [
    [1, 'north', 3],
    [2, 'harbour', 5],
  ] as const) {
    const own = { studioId }
    const at = new Date('2029-12-01')
    const makeArtist = (n: number) =>
      db.artist.create({
        data: {
          ...{ name: `${word} band ${n}`, email: `band${n}@${word}.example`, phone: `+44 20 7946 0${studioId}${n}0` },
          ...{ birthday: new Date(`199${n}-0${studioId}-01`), taxNumber: `${word}-tax-${n}77`, ...own },
        },
      })
    const artist = await makeArtist(1)
    await makeArtist(2)
    const rooms = []
    for (const [name, hourlyRate] of [
      ['hall', '45.50'],
      ['cellar', '19.99'],
    ])
      rooms.push(await db.room.create({ data: { name: `${word} ${name}`, hourlyRate, ...own } }))
    for (const hour of [10, 14]) {
      const day = (hours: number) => new Date(Date.UTC(2030, 0, studioId, hours))
      const guest = hour === 14 ? { guestName: `${word} guest`, guestEmail: `guest@${word}.example` } : {}
      const booking = await db.booking.create({
        data: {
          ...{ startsAt: day(hour), endsAt: day(hour + 2), status: hour === 14 ? 'REQUESTED' : 'CONFIRMED' },
          ...{ roomId: rooms[0].id, artistId: hour === 10 ? artist.id : null, ...guest, ...own },
          ...{ createdAt: at, updatedAt: at },
        },
      })
      if (hour === 14) continue
      await db.note.create({
        data: { text: `${word} drums were loud`, authorId, bookingId: booking.id, createdAt: at, ...own },
      })
      await db.recording.create({
        data: {
          ...{ title: `${word} take one`, fileName: `${word}.wav`, mediaType: 'audio/wav', size: 1000 + studioId },
          ...{ storageKey: `key-of-${word}-take`, bookingId: booking.id, ...own },
        },
      })
    }
    const dates = { issuedOn: new Date(`2029-12-0${studioId}`), dueOn: new Date(`2029-12-1${studioId}`) }
    const amounts = { net: '91', tax: '17.29', total: '108.29' }
    const invoice = await db.invoice.create({
      data: { number: 1000 * studioId, ...dates, ...amounts, artistId: artist.id, ...own },
    })
    const line = { description: `${word} two hours`, quantity: '2', unitPrice: '45.50', amount: '91' }
    await db.invoiceLine.create({ data: { ...line, invoiceId: invoice.id, ...own } })
    await db.payment.create({
      data: { amount: '10.29', method: `${word} cash`, invoiceId: invoice.id, receivedAt: at, ...own },
    })
  }
}
