import { ResourceRequest, string, toOne } from 'prismapi'

const text = string().required().max(10_000)

export default class NoteRequest extends ResourceRequest<'Note'> {
  override rules() {
    return this.isUpdating() ? this.checked({ text }) : this.checked({ text, booking: toOne().required() })
  }
}
