import { Policy, type RowOf, type Rules } from 'prismapi'
import { describe, expect, test } from 'vitest'
import PostRequest from '../../requests/post.request.ts'
import V1 from '../../src/app/v1/server.ts'
import { expectErrors, forbidden } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { newPost } from '../support/operations.ts'
import { identifier } from '../support/row-documents.ts'
import { exampleWith, theExample, useServers } from '../support/servers.ts'

// What policies and rules read of other rows may have changed before the write: it is read again inside of its transaction.

/** Another process, which comes between the judging and the write: once. */
let meanwhile: (() => Promise<unknown>) | null = null
async function overtake(): Promise<void> {
  const work = meanwhile
  meanwhile = null
  await work?.()
}

class Slow extends PostRequest {
  override async metaForDelete(post: RowOf<'Post'>) {
    const meta = await super.metaForDelete(post)
    await overtake()
    return meta
  }

  override async withExisting() {
    await overtake()
    return null
  }
}

class Locks extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>) {
    can([this.reads, this.writes])
    cannot('update', { tags: { some: { id: 2 } } }).because('Locked by its tag.')
  }
}

const api = useServers(async () => {
  const { servers } = await theExample()
  const { policies, servers: own } = await exampleWith(V1, {
    requests: new Map(servers[0]?.requests).set('Post', {
      request: Slow as never,
      query: null,
      collectionQuery: null,
    }),
  })
  return { policies: new Map([...policies, ['Post', Locks as never]]), servers: own }
})

async function addPost() {
  const { body, ...post } = newPost()
  const data = { ...post, content: body, authorId: users.admin, publishedAt: new Date(0) }
  return (await api.db.post.create({ data })).id
}
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)

test('a rule of deletion that counts sees what came after it was asked first', async () => {
  const id = await addPost()
  meanwhile = () => api.db.comment.create({ data: { content: 'New', postId: id, authorId: users.admin } })
  expectErrors(await admin('DELETE', `/api/v1/posts/${id}`), {
    status: '422',
    code: 'max',
    title: 'Not Deletable',
    detail: 'A post with comments cannot be deleted.',
  })
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ deletedAt: null })
})

test('a rule of a policy that only the database can judge sees it', async () => {
  const id = await addPost()
  meanwhile = () => api.db.post.update({ where: { id }, data: { tags: { connect: { id: 2 } } } })
  const document = { data: { ...identifier('posts', id), attributes: { synopsis: 'S' } } }
  expectErrors(await admin('PATCH', `/api/v1/posts/${id}`, { body: document }), forbidden('Locked by its tag.'))
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ synopsis: null })
})

describe('of a post and of a comment on it', () => {
  test('the one is deleted or the other created, however they meet', async () => {
    const outcomes: string[] = []
    for (let i = 0; i < 20; i++) {
      const id = await addPost()
      const comment = {
        data: {
          type: 'comments',
          attributes: { content: 'New' },
          relationships: { commentable: { data: identifier('posts', id) } },
        },
      }
      const [deleted, created] = await Promise.all([
        admin('DELETE', `/api/v1/posts/${id}`),
        api.as(users.member3)('POST', '/api/v1/comments', { body: comment }),
      ])
      outcomes.push(`${deleted.status} ${created.status}`)
    }
    expect(outcomes.filter((each) => each === '204 201')).toEqual([])
  })
})
