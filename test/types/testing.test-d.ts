import { api, type Call, expectFetchedMany, factories, type Made } from '@prismapi/testing'
import type { Post } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'

// What tests of an application may and may not write. `tsc` runs this file.

declare const prisma: object
declare const row: Post

export async function factoriesKnowTheModels() {
  const { post, user, tag } = factories(resources, prisma, {
    define: { Post: ({ n, given }) => ({ title: `Post ${n}`, ...(given.slug ? {} : { slug: `post-${n}` }) }) },
    types: { Post: 'articles' },
  })
  const made: Post = await post.create({ title: 'One', author: await user.create(), tags: [await tag.create()] })
  await post.createMany(2, (index) => ({ title: String(index), authorId: 1 }))
  const read: Made<'Post'> = post.identified(row)
  // @ts-expect-error there is no such column
  await post.create({ headline: 'One' })
  // @ts-expect-error a title is a text
  await post.create({ title: 1 })
  // @ts-expect-error an author is one
  await post.create({ author: 'Ann' })
  // @ts-expect-error there is no such model
  factories(resources, prisma).article
  // @ts-expect-error there is no such model to define
  factories(resources, prisma, { define: { Article: () => ({}) } })
  return { made, read }
}

export async function theClientKnowsItsUsers(app: () => never) {
  const client = api(app, { signIn: ({ id }: { id: number }) => ({ Authorization: `Bearer ${id}` }) })
  client.as({ id: 1 }).as(null)
  // @ts-expect-error a user has an id
  client.as('Ann')
  const call: Call = client.get('/posts').filter({ id: [1], createdAt: { gte: new Date() } })
  // @ts-expect-error null is no value of a filter: `isNull` is
  call.filter({ synopsis: null })
  // @ts-expect-error the answer has to be awaited
  expectFetchedMany(call, [])
  // @ts-expect-error a row that no factory knows is no resource
  expectFetchedMany(await call, [row])
}
