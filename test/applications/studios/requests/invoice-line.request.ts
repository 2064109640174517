import { decimal, ResourceRequest, string, toOne } from 'prismapi'
import type { Validator } from 'prismapi/rules'

const money = decimal({ precision: 12, scale: 2 })
const rules = {
  description: string().required().max(200),
  quantity: money.positive().max(10_000).required(),
  unitPrice: money.min(-100_000).max(100_000).required(),
}

export default class InvoiceLineRequest extends ResourceRequest<'InvoiceLine'> {
  override rules() {
    return this.isCreating() ? this.checked({ ...rules, invoice: toOne().required() }) : this.checked(rules)
  }

  override withValidator(validator: Validator) {
    validator.after(async () => {
      const invoice = this.isCreating() ? await this.toOne('invoice') : null
      if (invoice && invoice.status !== 'OPEN') validator.fail('invoice', 'Only an open invoice takes lines.', 'open')
    })
  }
}
