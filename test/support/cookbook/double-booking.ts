import type { NewProvider } from '@prismapi/cli/init/new-application'
import { describe, expect, test } from 'vitest'
import { useRecipe } from './recipe.ts'

interface Guarded {
  /** SQL that makes it so. */
  readonly arrange: readonly string[]
  /** What the error has beside its text. */
  readonly refusal: object
  /** Programs that run no hooks are refused, too. */
  readonly holdsForAll: boolean
}

/** What the recipe promises, on either database: `between` are the ways in which a room is guarded there. */
export function bookingOnce(provider: NewProvider, between: Readonly<Record<string, Guarded>>): void {
  const recipe = useRecipe('double-booking', { provider })
  const detail = 'This room is taken at that time.'
  const at = (hour: number) => `2027-02-01T${String(hour).padStart(2, '0')}:00:00Z`
  const room = { data: { type: 'rooms', id: '2' } }
  const book = (from: number, to: number, as = 'ann@example.com') =>
    recipe.ask('POST /api/v1/bookings', {
      as,
      body: {
        data: {
          type: 'bookings',
          attributes: { startsAt: at(from), endsAt: at(to) },
          relationships: { room },
        },
      },
    })
  const move = (id: string, attributes: object) =>
    recipe.ask(`PATCH /api/v1/bookings/${id}`, {
      as: 'ann@example.com',
      body: { data: { type: 'bookings', id, attributes } },
    })
  const booked = () => recipe.db.booking.count({ where: { roomId: 2 } })

  test('the files of the page compile', () => {
    expect(recipe.compile()).toEqual([])
  })

  test('everything is answered as the page shows it', async () => {
    const { shown, seen } = await recipe.follow()
    expect(seen).toEqual(shown)
  })

  describe.each(Object.entries(between))('%s', (_, { arrange, refusal, holdsForAll }) => {
    const refused = {
      status: 422,
      body: {
        errors: [
          {
            status: '422',
            title: 'Unprocessable Entity',
            detail,
            source: { pointer: '/data/attributes/startsAt' },
            ...refusal,
          },
        ],
      },
    }

    test('of ten that book at once one has the room, and the others are told', async () => {
      for (const sql of arrange) await recipe.db.$executeRawUnsafe(sql)
      await recipe.db.booking.deleteMany({ where: { roomId: 2 } })
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => book(9, 11, n % 2 ? 'ann@example.com' : 'ben@example.com')),
      )
      const [won, ...lost] = answers.toSorted((a, b) => a.status - b.status)
      expect(won?.status).toBe(201)
      for (const answer of lost) expect(answer).toMatchObject(refused)
      expect(await booked()).toBe(1)
    })

    test('times that overlap in any way are refused, and neighbours are not', async () => {
      await recipe.db.booking.deleteMany({ where: { roomId: 2 } })
      expect((await book(9, 12)).status).toBe(201)
      for (const [from, to] of [
        [8, 10],
        [11, 13],
        [10, 11],
        [8, 13],
        [9, 12],
      ] as const)
        expect(await book(from, to)).toMatchObject(refused)
      for (const [from, to] of [
        [7, 9],
        [12, 14],
      ] as const)
        expect((await book(from, to)).status).toBe(201)
      expect(await booked()).toBe(3)
    })

    test('a booking does not move onto another one, and may move a little', async () => {
      await recipe.db.booking.deleteMany({ where: { roomId: 2 } })
      await book(9, 10)
      const { id } = (await book(10, 11)).body.data
      expect(await move(id, { startsAt: at(9) })).toMatchObject(refused)
      expect((await move(id, { endsAt: at(12) })).status).toBe(200)
      const ends = await move(id, { endsAt: at(10) })
      expect(ends.body.errors).toMatchObject([
        { status: '422', detail: 'A booking ends after it begins.', source: { pointer: '/data/attributes/endsAt' } },
      ])
    })

    test(`a program that runs no hooks is ${holdsForAll ? '' : 'not '}stopped`, async () => {
      const direct = { roomId: 2, guestId: 1, startsAt: new Date(at(9)), endsAt: new Date(at(10)) }
      await recipe.db.booking.deleteMany({ where: { roomId: 2 } })
      await book(9, 10)
      await recipe.db.booking.create({ data: direct }).catch(() => {})
      expect(await booked()).toBe(holdsForAll ? 1 : 2)
    })
  })
}
