import { describe, expect, test } from 'vitest'
import { changed, comment, post, profile, tag, useOpenWorld, user, video, videoId } from '../support/open-world.ts'
import { snapshot } from '../support/snapshot.ts'

// What a scope hides cannot be named by a write, wherever a document has an identifier.

const world = useOpenWorld()

const jsonapi = { version: '1.0' }

const relatedNotFound = (...pointers: readonly string[]) => ({
  jsonapi,
  errors: pointers.map((pointer) => ({
    status: '404',
    title: 'Not Found',
    detail: 'The related resource does not exist.',
    source: { pointer },
  })),
})

const newPost = (relationships: object) => ({
  data: { type: 'posts', attributes: { title: 'New', slug: 'new', content: 'New' }, relationships },
})
const newComment = (relationships: object) => ({
  data: { type: 'comments', attributes: { content: 'New' }, relationships },
})

describe('an identifier of a hidden row, in a document', () => {
  test.each<[string, string, string, (hidden: boolean) => object, string]>([
    [
      'a required to-one on create',
      'POST',
      '/posts',
      (h) => newPost({ author: { data: user(h ? 9005 : 8000) } }),
      '/data/relationships/author',
    ],
    [
      'a to-many on create',
      'POST',
      '/posts',
      (h) => newPost({ tags: { data: [tag(1), tag(h ? 9303 : 8000)] } }),
      '/data/relationships/tags/data/1',
    ],
    [
      'one branch of a polymorphic relation',
      'POST',
      '/comments',
      (h) => newComment({ commentable: { data: post(h ? 9240 : 8000) } }),
      '/data/relationships/commentable',
    ],
    [
      'the other branch',
      'POST',
      '/comments',
      (h) => newComment({ commentable: { data: video(h ? 9451 : 8000) } }),
      '/data/relationships/commentable',
    ],
    [
      'an optional to-one on update',
      'PATCH',
      `/videos/${videoId(21)}`,
      (h) => changed(video(21), { owner: { data: user(h ? 9006 : 8000) } }),
      '/data/relationships/owner',
    ],
    [
      'a to-many on update',
      'PATCH',
      '/posts/11',
      (h) => changed(post(11), { tags: { data: [tag(h ? 9303 : 8000)] } }),
      '/data/relationships/tags/data/0',
    ],
    [
      'a has-many on update',
      'PATCH',
      '/users/3',
      (h) => changed(user(3), { comments: { data: [comment(31), comment(h ? 9550 : 8000)] } }),
      '/data/relationships/comments/data/1',
    ],
    [
      'the other end of a one-to-one',
      'PATCH',
      '/users/1',
      (h) => changed(user(1), { profile: { data: profile(h ? 9103 : 8000) } }),
      '/data/relationships/profile',
    ],
    [
      'a to-one relationship',
      'PATCH',
      '/posts/11/relationships/author',
      (h) => ({ data: user(h ? 9005 : 8000) }),
      '/data',
    ],
    [
      'a to-many relationship that is replaced',
      'PATCH',
      '/posts/11/relationships/tags',
      (h) => ({ data: [tag(2), tag(h ? 9303 : 8000)] }),
      '/data/1',
    ],
    [
      'a relationship that is added to',
      'POST',
      '/posts/11/relationships/tags',
      (h) => ({ data: [tag(h ? 9304 : 8000)] }),
      '/data/0',
    ],
    [
      'a relationship that is taken from, with a member that is in it',
      'DELETE',
      '/posts/11/relationships/tags',
      (h) => ({ data: [tag(h ? 9303 : 8000)] }),
      '/data/0',
    ],
    [
      'a has-many relationship that is taken from',
      'DELETE',
      '/users/3/relationships/videos',
      (h) => ({ data: [video(h ? 9451 : 8000)] }),
      '/data/0',
    ],
  ])('is 404 like one that never was: %s', async (_, method, path, body, pointer) => {
    const before = await snapshot(world.db)
    const hidden = await world.ask(method, path, { body: body(true) })
    const missing = await world.ask(method, path, { body: body(false) })
    expect({ status: hidden.status, body: hidden.body }).toEqual({ status: 404, body: relatedNotFound(pointer) })
    expect({ status: missing.status, text: missing.text }).toEqual({ status: 404, text: hidden.text })
    expect(await snapshot(world.db)).toEqual(before)
  })
})
