import { ResourceRequest, string, toOne } from 'prismapi'

const title = string().required().max(200)

export default class RecordingRequest extends ResourceRequest<'Recording', 'upload'> {
  override rules() {
    const created = { title, upload: string().required(), booking: toOne().required() }
    return this.isCreating() ? this.checked(created) : this.checked({ title })
  }
}
