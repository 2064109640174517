import { Schema } from 'prismapi'
import { linkTo } from '../files.ts'

export default class RecordingSchema extends Schema<'Recording'> {
  override fields() {
    return [
      this.attribute('upload').virtual(),
      this.attribute('url').computed(['storageKey'], ({ storageKey }) => linkTo(this.services, storageKey)),
      this.attribute('fileName').asReadOnly(),
      this.attribute('mediaType').asReadOnly(),
      this.attribute('size').asReadOnly(),
    ]
  }
}
