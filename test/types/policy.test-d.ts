// Checked by `npx tsc`, never run: policies and authorizers as an application writes them.
import {
  type AuthorizationRequest,
  Authorizer,
  deny,
  type LazyToMany,
  type LazyToOne,
  Policy,
  PolicyAuthorizer,
  type RowOf,
  type Rules,
  type Serving,
  type User,
} from 'prismapi'
import type {} from '../../prisma/generated/resources.ts'

type Post = RowOf<'Post'>
type Tag = RowOf<'Tag'>

export class Rightly extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can(this.reads)
    can([this.writes, 'create', 'viewTrashed'])
    can(this.writes, { authorId: user?.id ?? 0 })
    can(['view', 'viewTags', 'attachTags'], { tags: { some: { name: 'x' } } })
    cannot('delete', { comments: { some: {} } }).because('It has comments.')
    // @ts-expect-error no such column
    can('update', { autorId: 1 })
    // @ts-expect-error a value of another type
    can('view', { authorId: 'x' })
    // @ts-expect-error no such action
    can('updte')
    // @ts-expect-error no such relation
    can('viewTag')
    // @ts-expect-error a to-one relation is not attached to
    can('attachAuthor')
    // @ts-expect-error there is no row to hold it against
    can('create', { authorId: 1 })
    // @ts-expect-error the reads hold viewAny, which has no row either
    can(this.reads, { authorId: 1 })
    // @ts-expect-error a condition that is undefined would hold for every row
    can('view', undefined)
    // @ts-expect-error what is allowed needs no reason
    can('view').because('x')
  }

  override view(user: User | null, post: Post) {
    return user?.id === post.authorId || deny('No such post.', { status: 404 })
  }

  override async attachTags(_user: User | null, _post: Post, tags: LazyToMany<Tag>) {
    return (await tags.collect()).every((tag) => tag.name !== 'x')
  }

  override updateAuthor(_user: User | null, _post: Post, author: LazyToOne<RowOf<'User'>>) {
    return author.get().then((row) => row?.role === 'ADMIN')
  }
}

export class Wrongly extends Policy<'Post'> {
  // @ts-expect-error misspelt
  override updte(_user: User | null, _post: Post) {
    return true
  }

  // @ts-expect-error the row of another model
  override update(_user: User | null, _post: Tag) {
    return true
  }

  // @ts-expect-error a to-many relation
  override attachTags(_user: User | null, _post: Post, _tags: LazyToOne<Tag>) {
    return true
  }

  // @ts-expect-error no answer
  override delete(_user: User | null, _post: Post) {
    return 'yes'
  }
}

export const ofSchema = ({ can }: Rules<'Comment', 'commentable'>): void => {
  can(['viewCommentable', 'updateCommentable'], { authorId: 1 })
}
export const ofModelAlone = ({ can }: Rules<'Comment'>): void => {
  // @ts-expect-error only the schema class declares it
  can('viewCommentable')
}

export const fields = ({ can, cannot }: Rules<'Post', 'excerpt'>): void => {
  can('view', 'author')
  cannot(['view', 'update'], ['content', 'tags', 'excerpt'], { authorId: 1 })
  can('create', ['title', 'content'])
  // @ts-expect-error there is no such field
  can('view', 'contents')
  // @ts-expect-error there is no row yet
  can('create', 'title', { authorId: 1 })
  // @ts-expect-error what is deleted is a whole row
  can('delete', ['title'])
}

class PostAuthorizer extends PolicyAuthorizer<'Post'> {
  override update(request: AuthorizationRequest, post: Post) {
    return post.publishedAt === null ? super.update(request, post) : deny('A published post is final.')
  }
}

class GeneralAuthorizer extends PolicyAuthorizer {
  override delete() {
    return false
  }
}

export const register = (phase: Serving): void => {
  phase.authorizer(PostAuthorizer, ['Post'])
  phase.authorizer(GeneralAuthorizer)
}

// @ts-expect-error nine methods are missing
export class HalfAnAuthorizer extends Authorizer<'Post'> {
  viewAny() {
    return true
  }
}
