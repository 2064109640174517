import { dateTime, ResourceRequest, string } from 'prismapi'

/** What clients may write of posts: a field without a rule is ignored. */
export default class PostRequest extends ResourceRequest<'Post'> {
  override rules() {
    return this.checked({
      title: string().required().max(200),
      content: string().required(),
      publishedAt: dateTime().nullable(),
    })
  }
}
