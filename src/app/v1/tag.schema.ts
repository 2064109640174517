import { Schema } from 'prismapi'

export default class TagSchema extends Schema<'Tag'> {
  override readonly defaultSort = 'name'

  override pagination() {
    return null
  }
}
