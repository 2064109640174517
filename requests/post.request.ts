import { dateTime, integer, ResourceRequest, type RowOf, string, toMany, toOne, unique } from 'prismapi'
import type { Validator } from 'prismapi/rules'

// Rules are made once; which of them hold is decided for each request.
const everybody = {
  title: string().required().max(200),
  slug: string()
    .required()
    .matches(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .test(unique()),
  content: string().required().max(50_000),
  synopsis: string().nullable().max(500),
  publishedAt: dateTime().nullable(),
  tags: toMany(),
}
const administrators = { ...everybody, author: toOne() }

const deletable = { 'meta.comments': integer().max(0, 'A post with comments cannot be deleted.') }

export default class PostRequest extends ResourceRequest<'Post'> {
  override rules() {
    return this.user?.role === 'ADMIN' ? this.checked(administrators) : this.checked(everybody)
  }

  // The policy decides at the relationship's own URL. Tags that are sent with the post come in by this door.
  override withValidator(validator: Validator) {
    if (!this.isCreatingOrUpdating() || this.user?.role !== 'MEMBER') return
    validator.after(async () => {
      if (!('tags' in this.validated())) return
      const tags = await this.toMany('tags')
      if (tags.some(({ name }) => name === 'staff-pick')) validator.fail('tags', 'Only editors may pick.')
    })
  }

  override deleteRules() {
    return this.checked(deletable)
  }

  override async metaForDelete(post: RowOf<'Post'>) {
    return { comments: await this.count('Comment', { postId: post.id }) }
  }
}
