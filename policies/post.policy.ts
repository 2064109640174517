import { deny, type LazyToMany, Policy, type RowOf, type Rules, type User } from 'prismapi'

type Post = RowOf<'Post'>
type Tag = RowOf<'Tag'>

export default class PostPolicy extends Policy<'Post', 'publish'> {
  override abilities({ can, cannot }: Rules<'Post', 'publish'>, user: User | null) {
    can(this.reads)
    cannot('updateAuthor').because('Only an administrator may hand a post to another author.')
    if (!user) return
    can('create')
    can(['update', 'delete', 'detachTags', 'publish'], editsAll(user) ? {} : { authorId: user.id })
    if (editsAll(user)) can('viewTrashed')
    if (user.role === 'ADMIN') can(['updateAuthor', 'forceDelete'])
  }

  override updateTags(user: User | null, post: Post, tags: LazyToMany<Tag>) {
    return mayTag(user, post, tags)
  }

  override attachTags(user: User | null, post: Post, tags: LazyToMany<Tag>) {
    return mayTag(user, post, tags)
  }
}

const editsAll = (user: User): boolean => user.role !== 'MEMBER'

async function mayTag(user: User | null, post: Post, tags: LazyToMany<Tag>) {
  if (!user) return false
  if (editsAll(user)) return true
  if (post.authorId !== user.id) return false
  for await (const tag of tags) {
    if (tag.name === 'staff-pick') return deny('Only editors may pick.')
  }
  return true
}
