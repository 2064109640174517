import { decimal, ResourceRequest, string, toOne } from 'prismapi'

const rules = {
  amount: decimal({ precision: 12, scale: 2 }).positive().required(),
  method: string().required().max(40),
  invoice: toOne().required(),
}

export default class PaymentRequest extends ResourceRequest<'Payment'> {
  override rules() {
    return this.checked(rules)
  }
}
