import { invalidField, Server, type Serving } from 'prismapi'
import type { WriteEventOf } from 'prismapi/types'
import { hashOf, newKey } from '../auth.ts'
import { readUpload, removeFile } from '../files.ts'
import { amountOf, leftOf, totalsOf } from '../money.ts'

/** Where those who work in a studio plan, bill and write down. */
export default class Desk extends Server {
  override readonly name = 'desk'
  override readonly version = '1.1'
  override readonly live = { trail: true }
  override readonly viewEverywhere = true

  override serving(phase: Serving): void {
    const { user } = phase
    const own = { studioId: user?.studioId ?? 0 }
    phase.scopes({
      ...{ Studio: { id: own.studioId }, Member: own, Artist: own, Room: own, Booking: own, Note: own },
      ...{ Recording: own, Invoice: own, InvoiceLine: own, Payment: own },
    })
    phase.creating('Member', () => ({ ...own, keyHash: hashOf(newKey()) }))
    phase.creating('Artist', () => own)
    phase.creating('Room', () => own)

    // What belongs to a row belongs to the studio of that row: jobs have no studio of their own.
    phase.creating('Booking', async ({ roomId = 0 }, { find }) => studioOf(await find('Room', roomId)))
    phase.creating('Note', async ({ bookingId = 0, authorId = user?.id ?? 0 }, { find }) => ({
      ...studioOf(await find('Booking', bookingId)),
      authorId,
    }))
    phase.creating('InvoiceLine', async ({ invoiceId = 0 }, { find }) => studioOf(await find('Invoice', invoiceId)))
    phase.creating('Payment', async ({ invoiceId = 0 }, { find }) => studioOf(await find('Invoice', invoiceId)))
    phase.creating('Recording', async ({ bookingId = 0 }, { find, input, services }) => {
      const file = await readUpload(services, String(input.upload), user?.id ?? 0)
      if (!file)
        throw invalidField({ detail: 'The upload is not yours, or too old.', pointer: '/data/attributes/upload' })
      return { ...file, ...studioOf(await find('Booking', bookingId)) }
    })
    phase.deleted('Recording', ({ storageKey }, { afterCommit }) =>
      afterCommit(({ services }) => removeFile(services, storageKey)),
    )
    this.#bill(phase)
  }

  #bill(phase: Serving): void {
    phase.creating('Invoice', async ({ artistId = 0 }, event) => {
      const { studioId } = studioOf(await event.find('Artist', artistId))
      const { _max } = await event.asSystem().invoice.aggregate({ where: { studioId }, _max: { number: true } })
      return { studioId, number: (_max.number ?? 0) + 1 }
    })
    phase.saving('InvoiceLine', ({ quantity, unitPrice }, { row }) => ({
      amount: amountOf(quantity ?? row?.quantity, unitPrice ?? row?.unitPrice),
    }))
    const addUp = async ({ invoiceId }: { invoiceId: number }, event: WriteEventOf<'InvoiceLine'>) => {
      const lines = await event.asSystem().invoiceLine.findMany({ where: { invoiceId }, select: { amount: true } })
      await event.asSystem().invoice.update({ where: { id: invoiceId }, data: totalsOf(lines) })
    }
    phase.saved('InvoiceLine', addUp)
    phase.deleted('InvoiceLine', addUp)
    phase.created('Payment', async ({ invoiceId: id }, event) => {
      const select = { total: true, payments: { select: { amount: true } } } as const
      const left = leftOf(await event.asSystem().invoice.findUniqueOrThrow({ where: { id }, select }))
      if (left.lt(0))
        throw invalidField({ detail: 'This is more than is left to pay.', pointer: '/data/attributes/amount' })
      if (left.eq(0)) await event.asSystem().invoice.update({ where: { id }, data: { status: 'PAID' } })
    })
  }
}

const studioOf = (row: { readonly studioId: number } | null) => ({ studioId: row?.studioId ?? 0 })
