import { type Fields, PagePagination, Schema } from 'prismapi'

export default class VideoSchema extends Schema<'Video'> {
  override readonly defaultSort = '-createdAt'
  override defaultPagination = { number: '1' }

  override fields(): Fields {
    return [this.id().clientGenerated()]
  }

  override pagination() {
    return new PagePagination().withSimplePagination()
  }
}
