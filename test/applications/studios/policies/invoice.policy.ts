import { Policy, type Rules, type User } from 'prismapi'

export default class InvoicePolicy extends Policy<'Invoice', 'expire'> {
  override abilities({ can }: Rules<'Invoice', 'expire'>, user: User | null) {
    // Nobody but the nightly job lets an invoice expire.
    if (user && user.role !== 'ENGINEER') can([this.reads, 'create'])
    if (user?.role === 'OWNER') can('update', { status: { not: 'PAID' } })
  }
}
