import { dateTime, type RequestRules } from 'prismapi'
import PostRequestV1 from '../post.request.ts'

const deletedAt = dateTime().nullable()

/** As in v1, but for the name of the content, and for restoring what was deleted. */
export default class PostRequest extends PostRequestV1 {
  override rules(): RequestRules<'Post', 'body'> {
    const { content, ...rules } = super.rules()
    return { ...rules, body: content, deletedAt }
  }
}
