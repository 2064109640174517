import { Policy, type Rules, type User } from 'prismapi'

export default class InvoiceLinePolicy extends Policy<'InvoiceLine'> {
  override abilities({ can, cannot }: Rules<'InvoiceLine'>, user: User | null) {
    if (!user || user.role === 'ENGINEER') return
    can([this.reads, 'create'])
    cannot(['update', 'delete']).because('The lines of an invoice that was paid or is overdue stay as they are.')
    can(['update', 'delete'], { invoice: { status: 'OPEN' } })
  }
}
