import { conflict, Schema } from 'prismapi'

export default class InvoiceSchema extends Schema<'Invoice'> {
  override readonly label = 'number'

  override actions() {
    return [
      this.action('expire', {
        description: 'Says that it was not paid in time.',
        handle({ row, save }) {
          if (row.status !== 'OPEN') throw conflict('Only an open invoice can be overdue.')
          return save('Invoice', row, { status: 'OVERDUE' })
        },
      }),
    ]
  }
}
