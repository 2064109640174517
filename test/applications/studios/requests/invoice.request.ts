import { date, ResourceRequest, toOne, unique } from 'prismapi'

const dates = { issuedOn: date().required(), dueOn: date().required() }

export default class InvoiceRequest extends ResourceRequest<'Invoice'> {
  override rules() {
    if (!this.isCreating()) return this.checked({ dueOn: dates.dueOn })
    return this.checked({ ...dates, artist: toOne().required(), booking: toOne().nullable().test(unique()) })
  }
}
