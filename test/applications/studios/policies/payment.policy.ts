import { Policy, type Rules, type User } from 'prismapi'

export default class PaymentPolicy extends Policy<'Payment'> {
  override abilities({ can }: Rules<'Payment'>, user: User | null) {
    if (user && user.role !== 'ENGINEER') can([this.reads, 'create'])
  }
}
