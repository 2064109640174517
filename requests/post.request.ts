import {
  dateTime,
  integer,
  type RequestRules,
  ResourceRequest,
  type RowOf,
  string,
  toMany,
  toOne,
  unique,
} from 'prismapi'

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
  override rules(): RequestRules<'Post'> {
    return this.user?.role === 'ADMIN' ? administrators : everybody
  }

  override deleteRules() {
    return deletable
  }

  override async metaForDelete(post: RowOf<'Post'>) {
    return { comments: await this.count('Comment', { postId: post.id }) }
  }
}
