import { createHmac } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { Answer } from '@prismapi/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FixtureProvider } from '../any-schema/fixtures.ts'
import { openEvents } from '../event-stream.ts'
import type { OpenOptions } from './open.ts'
import { type ServedStudios, serveStudios, signIn, type Who } from './serve.ts'

// What the studios have to do, by requests: whatever the database, guarded or not.

const public_ = 'https://studios.example.org'
const hour = 3_600_000

/** The status, and the errors or the data. */
const toldBy = ({ status, document }: Answer) => ({ status, ...document })
const errorsOf = (answer: Answer) => ({ status: answer.status, errors: answer.document?.errors })
interface Resource {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The resource, or the resources, of an answer that has some. */
function dataOf<T = Resource>(answer: Answer): T {
  expect(answer.document, answer.text).toHaveProperty('data')
  return answer.document?.data as T
}
const idOf = (answer: Answer): string => {
  expect(answer.status, answer.text).toBe(201)
  return dataOf(answer).id
}
const failure = (status: number, title: string, detail: string, pointer?: string, code?: string) => ({
  ...{ status, errors: [{ status: String(status), title, detail, ...(code && { code }) }] },
  ...(pointer && { errors: [{ status: String(status), title, detail, source: { pointer }, ...(code && { code }) }] }),
})
const invalid = (detail: string, pointer: string, code?: string) =>
  failure(422, 'Unprocessable Entity', detail, pointer, code)
/** What the database refuses, in the words of a schema class. */
const refused = (field: string, detail: string) => ({
  status: 422,
  errors: [
    {
      ...{ status: '422', code: 'constraint', title: 'Unprocessable Entity', detail, meta: { field } },
      source: { pointer: `/data/attributes/${field}` },
    },
  ],
})
const taken = refused('startsAt', 'The room is taken at that time.')
const notFound = { status: 404, errors: [{ status: '404', title: 'Not Found' }] }
const forbidden = (detail: string) => failure(403, 'Forbidden', detail)

export function studiosWork(provider: FixtureProvider, options: OpenOptions = {}): void {
  let served: ServedStudios
  const desk = (who: Who | null) => served.desk.as(who)
  const db = () => served.studios.db
  beforeAll(async () => {
    served = await serveStudios(provider, options)
  })
  afterAll(() => served?.close())

  /** As the database shows an amount: SQLite has no decimals, so it keeps no zero at the end. */
  const money = (amount: string) => (provider === 'sqlite' ? String(Number(amount)) : amount)
  const identifier = (type: string, id: string | number) => ({ type, id: String(id) })
  const bookingOf = (room: number, startsAt: string, endsAt: string, artist?: number) => ({
    type: 'bookings',
    attributes: { startsAt, endsAt },
    relationships: {
      room: identifier('rooms', room),
      ...(artist !== undefined && { artist: identifier('artists', artist) }),
    },
  })
  const invoiceOf = (artist: number) => ({
    type: 'invoices',
    attributes: { issuedOn: '2030-02-01', dueOn: '2030-02-15' },
    relationships: { artist: identifier('artists', artist) },
  })
  const lineOf = (invoice: string, quantity: string, unitPrice: string) => ({
    type: 'invoice-lines',
    attributes: { description: 'Hours', quantity, unitPrice },
    relationships: { invoice: identifier('invoices', invoice) },
  })
  const paymentOf = (invoice: string, amount: string) => ({
    type: 'payments',
    attributes: { amount, method: 'card' },
    relationships: { invoice: identifier('invoices', invoice) },
  })
  const totalsOf = async (invoice: string) => {
    const fields = { invoices: ['status', 'net', 'tax', 'total'] }
    return dataOf(await desk('ona').get(`/invoices/${invoice}`).fields(fields)).attributes
  }
  /** An invoice of one line: 100.00, and 19.00 of tax. */
  const billed = async (): Promise<string> => {
    const invoice = idOf(await desk('dee').post('/invoices', invoiceOf(1)))
    idOf(await desk('dee').post('/invoice-lines', lineOf(invoice, '2', '50')))
    return invoice
  }

  describe('organizations', () => {
    test('each studio has its own artists, as a whole document', async () => {
      const { status, document } = await desk('ona')
        .get('/artists')
        .fields({ artists: ['name'] })
      const self = `${public_}/api/desk/artists`
      const asked = `${self}?fields%5Bartists%5D=name`
      const page = '&page%5Bnumber%5D=1&page%5Bsize%5D=15'
      expect({ status, document }).toEqual({
        status: 200,
        document: {
          jsonapi: { version: '1.1' },
          links: { self: asked, first: asked + page, last: asked + page },
          meta: { page: { currentPage: 1, from: 1, lastPage: 1, perPage: 15, to: 2, total: 2 } },
          data: [1, 2].map((n) => ({
            ...{ type: 'artists', id: String(n), attributes: { name: `north band ${n}` } },
            links: { self: `${self}/${n}` },
          })),
        },
      })
    })

    test('what is another studio’s is not there: to read, to change, to link', async () => {
      expect(toldBy(await desk('ona').get('/artists/3'))).toMatchObject(notFound)
      expect(toldBy(await desk('ona').delete('/artists/3'))).toMatchObject(notFound)
      const linked = await desk('dee').post('/bookings', bookingOf(1, '2030-03-01T10:00Z', '2030-03-01T11:00Z', 3))
      expect(errorsOf(linked)).toEqual(
        failure(404, 'Not Found', 'The related resource does not exist.', '/data/relationships/artist'),
      )
      expect(await db().booking.count({ where: { artistId: 3 } })).toBe(1)
    })

    test('a guest sees nothing, and a wrong key is refused', async () => {
      expect((await desk(null).get('/artists')).status).toBe(403)
      expect((await served.desk.header('Authorization', 'Bearer nonsense').get('/artists')).status).toBe(401)
    })
  })

  describe('roles and private fields', () => {
    const attributesOf = async (who: Who) => dataOf(await desk(who).get('/artists/1')).attributes
    const open = { name: 'north band 1' }
    const contact = { email: 'band1@north.example', phone: '+44 20 7946 0110', birthday: '1991-01-01' }

    test('an engineer sees names, the desk sees how to reach them, the owner sees to taxes', async () => {
      expect(await attributesOf('eli')).toEqual(open)
      expect(await attributesOf('dee')).toEqual({ ...open, ...contact })
      expect(await attributesOf('ona')).toEqual({ ...open, ...contact, taxNumber: 'north-tax-177' })
    })

    test('nobody finds by a field that they do not see', async () => {
      const [name, birthday] = ['taxNumber', 'birthday']
      expect((await desk('dee').get(`/artists?filter[${name}]=north-tax-177`)).status).toBe(400)
      expect((await desk('eli').get(`/artists?sort=${birthday}`)).status).toBe(400)
    })

    test('the desk writes no tax number', async () => {
      const patch = (attributes: object) => desk('dee').patch('/artists/1', { type: 'artists', id: 1, attributes })
      expect(errorsOf(await patch({ taxNumber: 'other' }))).toEqual(
        failure(403, 'Forbidden', 'You may not change the field taxNumber.', '/data/attributes/taxNumber'),
      )
      expect((await patch({ phone: '+44 20 7946 0110' })).status).toBe(200)
    })

    test('members see their own address alone, and the owner those of all', async () => {
      const emails = async (who: Who) => {
        const found = dataOf<Resource[]>(await desk(who).get('/members'))
        return found.map(({ attributes }) => attributes.email)
      }
      expect(await emails('eli')).toEqual([undefined, undefined, 'eli@studio-1.example', undefined])
      expect(await emails('ona')).toEqual(['ona', 'dee', 'eli', 'eve'].map((name) => `${name}@studio-1.example`))
    })

    test('an engineer neither books nor bills', async () => {
      const booking = bookingOf(1, '2030-03-01T10:00Z', '2030-03-01T11:00Z')
      expect((await desk('eli').post('/bookings', booking)).status).toBe(403)
      expect((await desk('eli').get('/invoices')).status).toBe(403)
    })

    test('a new member gets a key by an action, which shows it once', async () => {
      const attributes = { name: 'Ned', email: 'ned@studio-1.example', role: 'ENGINEER' }
      const id = idOf(await desk('ona').post('/members', { type: 'members', attributes }))
      expect((await desk('eli').post(`/members/${id}/-actions/issueKey`)).status).toBe(403)
      const { status, document } = await desk('ona').post(`/members/${id}/-actions/issueKey`)
      const key = document?.meta?.key as string
      expect({ status, key, data: document?.data }).toMatchObject({
        ...{ status: 200, key: expect.stringMatching(/^[\w-]{32}$/), data: { id, attributes } },
      })
      expect((await served.desk.header('Authorization', `Bearer ${key}`).get(`/members/${id}`)).status).toBe(200)
      expect(await db().member.count({ where: { keyHash: key } })).toBe(0)
    })
  })

  describe('bookings', () => {
    test('of ten that ask for one hour at one time, one gets it', async () => {
      const booking = bookingOf(2, '2030-03-02T10:00Z', '2030-03-02T12:00Z', 1)
      const answers = await Promise.all(Array.from({ length: 10 }, () => desk('dee').post('/bookings', booking)))
      const losers = answers.filter(({ status }) => status !== 201)
      expect(losers.map(errorsOf)).toEqual(Array(9).fill(taken))
      const [winner] = answers.filter(({ status }) => status === 201)
      expect(winner?.document?.data).toMatchObject({
        type: 'bookings',
        attributes: { startsAt: '2030-03-02T10:00:00.000Z', endsAt: '2030-03-02T12:00:00.000Z', status: 'CONFIRMED' },
      })
      expect(await db().booking.count({ where: { roomId: 2 } })).toBe(1)
    })

    test('the next one may begin when this one ends; what is cancelled makes room', async () => {
      const first = bookingOf(2, '2030-03-03T10:00Z', '2030-03-03T12:00Z')
      const id = idOf(await desk('dee').post('/bookings', first))
      idOf(await desk('dee').post('/bookings', bookingOf(2, '2030-03-03T12:00Z', '2030-03-03T13:00Z')))
      const across = bookingOf(2, '2030-03-03T11:00Z', '2030-03-03T11:30Z')
      expect((await desk('dee').post('/bookings', across)).status).toBe(422)
      const cancelled = { type: 'bookings', id, attributes: { status: 'CANCELLED' } }
      expect((await desk('dee').patch(`/bookings/${id}`, cancelled)).status).toBe(200)
      idOf(await desk('dee').post('/bookings', across))
      const again = { ...cancelled, attributes: { status: 'CONFIRMED' } }
      expect((await desk('dee').patch(`/bookings/${id}`, again)).status).toBe(422)
    })

    test('end later than they begin', async () => {
      const answer = await desk('dee').post('/bookings', bookingOf(2, '2030-03-04T10:00Z', '2030-03-04T10:00Z'))
      expect(errorsOf(answer)).toEqual(refused('endsAt', 'The end must be after the start.'))
    })
  })

  describe('invoices', () => {
    test('have the exact total of lines that are written at one time, changed and removed', async () => {
      const invoice = idOf(await desk('dee').post('/invoices', invoiceOf(1)))
      const lines = await Promise.all(
        Array.from({ length: 10 }, (_, i) => desk('dee').post('/invoice-lines', lineOf(invoice, '0.1', `${i}.1`))),
      )
      // Each is rounded: 0.01, 0.11, … 0.91; the sum is no number of doubles.
      expect(await totalsOf(invoice)).toEqual({
        ...{ status: 'OPEN', net: money('4.60'), tax: money('0.87'), total: money('5.47') },
      })
      const [first, second] = lines.map(idOf)
      const changed = { type: 'invoice-lines', id: first as string, attributes: { quantity: '3', unitPrice: '33.33' } }
      expect((await desk('dee').patch(`/invoice-lines/${first}`, changed)).document?.data).toMatchObject({
        attributes: { quantity: money('3.00'), unitPrice: money('33.33'), amount: money('99.99') },
      })
      expect((await desk('dee').delete(`/invoice-lines/${second}`)).status).toBe(204)
      expect(await totalsOf(invoice)).toEqual({
        ...{ status: 'OPEN', net: money('104.47'), tax: money('19.85'), total: money('124.32') },
      })
    })

    test('have numbers without gaps, also where they are made at one time', async () => {
      const before = await db().invoice.count({ where: { studioId: 1 } })
      const made = await Promise.all(Array.from({ length: 5 }, () => desk('dee').post('/invoices', invoiceOf(2))))
      const numbers = made.map((answer) => dataOf(answer).attributes.number)
      expect(numbers.sort()).toEqual([0, 1, 2, 3, 4].map((i) => 1000 + before + i))
    })

    test('take no totals from clients', async () => {
      const { attributes, ...rest } = invoiceOf(1)
      const sent = { ...rest, attributes: { ...attributes, total: '1', status: 'PAID', number: 7 } }
      const id = idOf(await desk('dee').post('/invoices', sent))
      expect(await totalsOf(id)).toEqual({
        status: 'OPEN',
        net: money('0.00'),
        tax: money('0.00'),
        total: money('0.00'),
      })
    })
  })

  describe('payments', () => {
    test('with one key are written once, however often they are sent, and answered alike', async () => {
      const invoice = await billed()
      const sent = () =>
        desk('dee').header('Idempotency-Key', `pay-${invoice}-once`).post('/payments', paymentOf(invoice, '50'))
      const [first, ...repeats] = [await sent(), await sent(), await sent()]
      expect(first?.status).toBe(201)
      for (const repeat of repeats) {
        expect({ status: repeat.status, document: repeat.document }).toEqual({ status: 201, document: first?.document })
        expect(repeat.headers.get('Idempotency-Replayed')).toBe('true')
      }
      expect(await db().payment.count({ where: { invoiceId: Number(invoice) } })).toBe(1)
    })

    test('of the total settle an invoice, and nobody pays more: of ten at one time, one is taken', async () => {
      const invoice = await billed()
      const tooMuch = await desk('dee').post('/payments', paymentOf(invoice, '119.01'))
      const refusal = invalid('This is more than is left to pay.', '/data/attributes/amount')
      expect(errorsOf(tooMuch)).toEqual(refusal)
      const pay = () => desk('dee').post('/payments', paymentOf(invoice, '119'))
      const answers = await Promise.all(Array.from({ length: 10 }, pay))
      expect(answers.filter(({ status }) => status !== 201).map(errorsOf)).toEqual(Array(9).fill(refusal))
      expect(await totalsOf(invoice)).toMatchObject({ status: 'PAID', total: money('119.00') })
      expect(errorsOf(await desk('dee').post('/invoice-lines', lineOf(invoice, '1', '1')))).toEqual(
        invalid('Only an open invoice takes lines.', '/data/relationships/invoice', 'open'),
      )
    })

    const webhook = (id: string, body: string, { signed = body, at = Date.now() / 1000 } = {}) => {
      const timestamp = String(Math.floor(at))
      const signature = createHmac('sha256', served.studios.paymentsSecret)
        .update(`${id}.${timestamp}.${signed}`)
        .digest('base64')
      const headers = {
        'Content-Type': 'application/json',
        'Webhook-Id': id,
        'Webhook-Timestamp': timestamp,
        'Webhook-Signature': `v1,${signature}`,
      }
      return fetch(`${served.origin}/webhooks/payments`, { method: 'POST', headers, body })
    }

    test('arrive from the bank by a webhook, once, and none that it has not signed', async () => {
      const invoice = await billed()
      const body = JSON.stringify({ invoice, amount: '119.00', method: 'transfer' })
      const told = async (id: string, ...rest: [string?, object?]) =>
        (await webhook(id, rest[0] ?? body, rest[1])).status
      expect(await told('message-1', body, { signed: 'another' })).toBe(401)
      expect(await told('message-1', body, { at: Date.now() / 1000 - 3600 })).toBe(401)
      expect([await told('message-1'), await told('message-1')]).toEqual([204, 204])
      expect(await db().payment.count({ where: { invoiceId: Number(invoice) } })).toBe(1)
      expect(await totalsOf(invoice)).toMatchObject({ status: 'PAID' })
      expect(await told('message-2')).toBe(422)
      expect(await told('message-3', '{')).toBe(400)
    })
  })

  describe('notes', () => {
    const refusal = forbidden('Its author may change a note for 24 hours.')

    test('are their author’s to change for 24 hours', async () => {
      const note = {
        ...{ type: 'notes', attributes: { text: 'Two microphones.' } },
        relationships: { booking: identifier('bookings', 1) },
      }
      const id = idOf(await desk('eli').post('/notes', note))
      const patch = (who: Who, text: string) =>
        desk(who).patch(`/notes/${id}`, { type: 'notes', id, attributes: { text } })
      expect((await patch('eli', 'Three.')).status).toBe(200)
      expect(errorsOf(await patch('ona', 'Four.'))).toMatchObject(refusal)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * hour })
      try {
        expect(errorsOf(await patch('eli', 'Five.'))).toMatchObject(refusal)
        expect(errorsOf(await desk('eli').delete(`/notes/${id}`))).toMatchObject(refusal)
      } finally {
        vi.useRealTimers()
      }
      expect((await db().note.findUnique({ where: { id: Number(id) } })).text).toBe('Three.')
    })
  })

  describe('recordings', () => {
    const upload = async (who: Who | null, type = 'audio/wav') => {
      const form = new FormData()
      form.append('file', new File(['a loud guitar'], 'take.wav', { type }))
      const response = await fetch(`${served.origin}/uploads`, {
        ...{ method: 'POST', body: form },
        ...(who && { headers: signIn(who) }),
      })
      return { status: response.status, document: (await response.json()) as { meta: { upload: string } } }
    }
    const recordingOf = (token: string) => ({
      ...{ type: 'recordings', attributes: { title: 'Take two', upload: token } },
      relationships: { booking: identifier('bookings', 1) },
    })

    test('are uploaded, then named, then sent to who has the link, and go with their resource', async () => {
      const { status, document } = await upload('eli')
      expect(status).toBe(201)
      const token = document.meta.upload
      const pointer = '/data/attributes/upload'
      expect(errorsOf(await desk('eve').post('/recordings', recordingOf(token)))).toEqual(
        invalid('The upload is not yours, or too old.', pointer),
      )
      const created = await desk('eli').post('/recordings', recordingOf(token))
      const id = idOf(created)
      const self = `${public_}/api/desk/recordings/${id}`
      expect(created.document).toEqual({
        jsonapi: { version: '1.1' },
        links: { self },
        data: {
          ...{ type: 'recordings', id },
          attributes: {
            ...{ title: 'Take two', fileName: 'take.wav', mediaType: 'audio/wav', size: 13 },
            url: expect.stringMatching(/^\/files\/[\w-]+\?until=\d+&signature=[\w-]+$/),
          },
          relationships: {
            booking: {
              links: { self: `${self}/relationships/booking`, related: `${self}/booking` },
            },
          },
          links: { self },
        },
      })
      const url = String(dataOf(created).attributes.url)
      const file = await fetch(served.origin + url)
      expect([file.status, file.headers.get('Content-Disposition'), await file.text()]).toEqual([
        ...[200, 'attachment; filename="take.wav"', 'a loud guitar'],
      ])
      expect((await fetch(served.origin + url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(404)
      expect(readdirSync(served.studios.files)).toHaveLength(1)
      expect((await desk('ona').delete(`/recordings/${id}`)).status).toBe(204)
      await vi.waitFor(() => expect(readdirSync(served.studios.files)).toEqual([]), 60_000)
    })

    test('guests upload nothing, and members nothing but sound and papers', async () => {
      expect((await upload(null)).status).toBe(401)
      expect((await upload('eli', 'text/html')).status).toBe(400)
      expect(readdirSync(served.studios.files)).toEqual([])
    })
  })

  describe('the nightly job', () => {
    test('bills each session that is over, once, and lets invoices expire that were not paid in time', async () => {
      const night = (now: string) => served.studios.runNight(served.api, new Date(now))
      expect(await night('2029-12-01T03:00Z')).toEqual({ billed: 0, overdue: 0 })
      const studioInvoices = await db().invoice.count({ where: { studioId: 2 } })
      // The first sessions of both studios, of two hours at 45.50; the other was asked for, and not confirmed.
      expect(await night('2030-01-03T03:00Z')).toEqual({ billed: 2, overdue: 2 })
      const [invoice] = await db().invoice.findMany({ where: { bookingId: 1 }, include: { lines: true } })
      expect(invoice).toMatchObject({ studioId: 1, artistId: 1, status: 'OPEN', dueOn: new Date('2030-01-17') })
      expect([invoice.net, invoice.tax, invoice.total].map(Number)).toEqual([91, 17.29, 108.29])
      expect(invoice.lines).toMatchObject([{ description: 'north hall, 2030-01-01' }])
      expect(await db().invoice.count({ where: { studioId: 2 } })).toBe(studioInvoices + 1)
      expect(await night('2030-01-03T03:00Z')).toEqual({ billed: 0, overdue: 0 })
      expect(await night('2030-01-18T03:00Z')).toMatchObject({ billed: 0, overdue: 2 })
      expect((await desk('dee').post(`/invoices/${invoice.id}/-actions/expire`)).status).toBe(403)
    })

    test('is named in the trail, which owners read', async () => {
      const { id } = await db().invoice.findFirstOrThrow({ where: { bookingId: 1 } })
      const found = dataOf<Resource[]>(await desk('ona').get(`/changes?filter[resource]=invoices:${id}`))
      const changes = found.map(({ attributes }) => attributes)
      expect(changes.at(-1)).toMatchObject({ action: 'create', user: 'nightly invoices' })
      expect((await desk('dee').get('/changes')).status).toBe(403)
    })
  })

  describe('the public site', () => {
    const asked = (startsAt: string, endsAt: string) => ({
      ...{ type: 'bookings', attributes: { startsAt, endsAt, guestName: 'Gus', guestEmail: 'gus@example.com' } },
      relationships: { room: identifier('rooms', 1) },
    })
    const slots = async (day: string) => {
      const answer = await served.site.get(`/rooms/1/-actions/slots?day=${day}`)
      const free = answer.document?.meta?.free as readonly string[] | undefined
      return free?.map((instant) => Number(instant.slice(11, 13)))
    }

    test('shows the rooms of all studios to everybody', async () => {
      const answer = await served.site.get('/rooms?include=studio&sort=id')
      const { status, document } = answer
      const names = dataOf<Resource[]>(answer).map(({ attributes }) => attributes.name)
      expect({ status, names }).toEqual({
        ...{ status: 200, names: ['north hall', 'north cellar', 'harbour hall', 'harbour cellar'] },
      })
      expect(document?.included).toHaveLength(2)
    })

    test('takes a booking of a guest, who sees no more than that it is there', async () => {
      expect(await slots('2030-01-01')).toEqual([9, 12, 13, 16, 17, 18, 19, 20])
      const booking = asked('2030-05-01T10:00Z', '2030-05-01T12:00Z')
      const answer = await served.site.post('/bookings', booking)
      const id = idOf(answer)
      expect(answer.document?.data).toEqual({ type: 'bookings', id })
      expect(await db().booking.findUnique({ where: { id: Number(id) } })).toMatchObject({
        ...{ status: 'REQUESTED', studioId: 1, roomId: 1, guestName: 'Gus', artistId: null },
      })
      expect(await slots('2030-05-01')).toEqual([9, 12, 13, 14, 15, 16, 17, 18, 19, 20])
      expect(errorsOf(await served.site.post('/bookings', booking))).toEqual(taken)
    })

    test('of ten guests who ask for one hour, one gets it', async () => {
      const booking = asked('2030-05-02T10:00Z', '2030-05-02T12:00Z')
      const answers = await Promise.all(Array.from({ length: 10 }, () => served.site.post('/bookings', booking)))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)])
    })

    test('has hours, and a calendar', async () => {
      const open = 'Whole hours of one day, from 9 to 21 o’clock.'
      for (const [from, to] of [
        ['2030-05-03T08:00Z', '2030-05-03T10:00Z'],
        ['2030-05-03T10:30Z', '2030-05-03T11:00Z'],
        ['2030-05-03T20:00Z', '2030-05-04T10:00Z'],
      ])
        expect(errorsOf(await served.site.post('/bookings', asked(from as string, to as string)))).toEqual(
          invalid(open, '/data/attributes/startsAt', 'open'),
        )
      expect((await served.site.get('/rooms/1/-actions/slots?day=2030-02-30')).status).toBe(400)
    })

    test('shows guests no bookings, and lets them change nothing', async () => {
      expect((await served.site.get('/bookings')).status).toBe(403)
      expect((await served.site.get('/bookings/1')).status).toBe(404)
      expect((await served.site.patch('/bookings/1', { type: 'bookings', id: 1, attributes: {} })).status).toBe(404)
      const room = { type: 'rooms', id: 1, attributes: { name: 'mine' } }
      expect((await served.site.patch('/rooms/1', room)).status).toBe(403)
      expect((await served.site.as('ona').patch('/rooms/1', room)).status).toBe(403)
      expect((await served.site.get('/artists')).status).toBe(404)
    })
  })

  test('the calendar of the desk is told of what a guest has booked, and that of another studio is not', async () => {
    const url = `${served.origin}/api/desk/bookings?filter[startsAt][gte]=2030-06-01T00:00:00Z`
    const [north, harbour] = [await openEvents(url, signIn('dee')), await openEvents(url, signIn('hal'))]
    expect([(await north.next()).event, (await harbour.next()).event]).toEqual(['snapshot', 'snapshot'])
    const ask = (room: number) =>
      served.site.post('/bookings', {
        type: 'bookings',
        attributes: {
          ...{ startsAt: '2030-06-01T10:00Z', endsAt: '2030-06-01T11:00Z' },
          ...{ guestName: 'Gus', guestEmail: 'gus@example.com' },
        },
        relationships: { room: identifier('rooms', room) },
      })
    const [first, second] = [idOf(await ask(1)), idOf(await ask(3))]
    const told = { event: 'upsert', data: { data: { type: 'bookings', attributes: { guestName: 'Gus' } } } }
    expect(await north.next()).toMatchObject({ ...told, data: { data: { id: first } } })
    expect(await harbour.next()).toMatchObject({ ...told, data: { data: { id: second } } })
    await north.close()
    await harbour.close()
  })

  test('nothing failed inside', () => {
    expect(served.studios.failures).toEqual([])
  })
}
