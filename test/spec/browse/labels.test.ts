import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import { authSecret, users } from '../../support/api.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// What people call a resource.

class PostSchema extends Schema<'Post'> {
  override readonly label = 'slug'
}
class UserSchema extends Schema<'User'> {}
class CommentSchema extends Schema<'Comment'> {}

describe('a resource is called by its label', () => {
  const api = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [openServer('labels', { Post: PostSchema, User: UserSchema, Comment: CommentSchema })],
  }))
  const pageOf = async (path: string) =>
    (await fetch(`${api.at}/api/labels${path}`, { headers: { Accept: browserAccept } })).text()

  test('in tables, links, titles and breadcrumbs', async () => {
    const { id } = await addPost(api.db, { slug: 'called-so' })
    const table = await pageOf(`/posts?filter[id]=${id}`)
    expect(table).toContain(`aria-label="called-so"> <a href="/api/labels/posts/${id}">called-so</a>`)
    expect(table).toContain('<td data-label="Author"><a href="/api/labels/users/3">Member 3</a></td>')
    expect(table).not.toContain('<td data-label="Slug">')
    const own = await pageOf(`/posts/${id}`)
    expect(own).toContain('<h1>called-so</h1>')
    expect(own).toContain('<dd><ul class="links-held"><li><a href="/api/labels/users/3">Member 3</a>')
    const below = await pageOf(`/posts/${id}/author`)
    expect(below).toContain('<h1>Author of called-so</h1>')
    expect(below).toContain(`<a href="/api/labels/posts/${id}">called-so</a>`)
    expect(await pageOf(`/posts/${id}/relationships/author`)).toContain('>Member 3</a></li>')
  })

  test('which is the beginning of a text where it has no name', async () => {
    const content = `A comment\n  that   goes on ${'and on '.repeat(20)}`
    const { id: postId } = await addPost(api.db)
    const { id } = await api.db.comment.create({ data: { content, authorId: 3, postId } })
    const said = 'A comment that goes on and on and on and…'
    expect(await pageOf(`/comments/${id}`)).toContain(`<h1>${said}</h1><p class="sub">comment ${id}</p>`)
    for (const path of [`/comments?filter[id]=${id}`, `/posts/${postId}`, `/posts/${postId}/comments`])
      expect(await pageOf(path)).toContain(`<a href="/api/labels/comments/${id}">${said}</a>`)
  })

  test('which is its type and id where it has none, or where it is empty', async () => {
    const { id } = await addPost(api.db, { slug: ' ' })
    await api.db.comment.create({ data: { content: ' ', authorId: 3, postId: id } })
    expect(await pageOf(`/posts/${id}`)).toContain(`<h1>Post ${id}</h1>`)
    expect(await pageOf(`/posts/${id}/comments`)).toMatch(/<a href="\/api\/labels\/comments\/\d+">Comment \d+<\/a>/)
  })

  test('is shown where only some fields are asked for, and the document stays as it was asked for', async () => {
    const { id } = await addPost(api.db, { slug: 'few-fields' })
    const text = await pageOf(`/posts/${id}?fields[posts]=content`)
    expect(text).toContain('<h1>few-fields</h1>')
    expect(text.slice(text.indexOf('id="document"'))).not.toContain('few-fields')
  })
})

describe('a label that the caller may not see', () => {
  const api = useServers(async () => ({ ...(await fieldServers()), production: false }))
  const pageOf = async (path: string, as: number) => {
    const Authorization = `Bearer ${await signToken(as, authSecret)}`
    return (await fetch(api.at + path, { headers: { Accept: browserAccept, Authorization } })).text()
  }

  test('is not told: the resource is called by its type and id', async () => {
    const { id } = await addPost(api.db, { slug: 'secret-label', title: 'Under wraps' })
    expect(await pageOf(`/api/v1/posts/${id}`, users.member3)).toContain('<h1>Under wraps</h1>')
    for (const path of [`/posts/${id}`, `/posts?filter[id]=${id}`, `/posts/${id}/author`, '/users/3/posts']) {
      const text = await pageOf(`/api/v1${path}`, users.member4)
      expect(text).toMatch(new RegExp(`post ${id}`, 'i'))
      expect(text).not.toContain('Under wraps')
    }
  })
})
