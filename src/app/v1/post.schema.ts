import { Schema } from 'prismapi'

export default class PostSchema extends Schema<'Post'> {
  override defaultSort = '-createdAt'
  override softDelete = 'deletedAt' as const

  override fields() {
    return [this.attribute('slug').singular(), this.attribute('deletedAt').hidden()]
  }
}
