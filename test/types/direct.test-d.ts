// Checked by `npx tsc`, never run: what `api.as` takes and answers with, by the example's schema.
import type { PrismApi } from 'prismapi'
import type { FilterQuery, ListedRows, SeenRow } from 'prismapi/types'

declare const api: PrismApi

const caller = api.as(null, { server: 'v1' })
const job = api.asSystem('nightly', { server: 'v1' })

export async function rows() {
  const post = await caller.find('Post', 1)
  // What the caller may not see is absent.
  const title: string | undefined = post.title
  const author: { readonly id: string } | null | undefined = post.author
  // @ts-expect-error no such field
  post.titel
  // @ts-expect-error a foreign key is no attribute
  post.authorId
  const whole = await job.find('Post', 1)
  // A job sees all of it, as documents write it.
  const [exact, published]: [string, string | null] = [whole.title, whole.publishedAt]
  const some = await job.find('Post', 1, { fields: { Post: ['title'] } })
  // @ts-expect-error it was not asked for
  const missing: string = some.slug
  return [title, author, exact, published, missing]
}

export async function included() {
  const post = await caller.find('Post', 1, { include: ['author', 'comments.author'] })
  const name: string | undefined = post.author?.name
  const names = post.comments?.map((comment) => comment.author?.name)
  // @ts-expect-error its tags are not included
  post.tags?.[0]?.name
  // @ts-expect-error no such path
  caller.find('Post', 1, { include: ['autor'] })
  // @ts-expect-error no such path behind a relation
  caller.find('Post', 1, { include: ['author.autor'] })
  return [name, names]
}

export async function writes() {
  await caller.create('Post', {
    title: 'a',
    publishedAt: new Date(),
    author: 3,
    tags: [1, '2', { type: 'tags', id: '3' }],
  })
  await caller.update(
    'Video',
    'id',
    { rating: null, durationSeconds: 5 },
    { ifMatch: await caller.find('Video', 'id') },
  )
  // @ts-expect-error no such field
  await caller.create('Post', { titel: 'a' })
  // @ts-expect-error no such value
  await caller.update('User', 1, { role: 'ADMN' })
  // @ts-expect-error a column that is hidden
  await caller.update('User', 1, { passwordHash: 'a' })
  // What the schema class adds is registered.
  await caller.create('User', { name: 'a', password: 'a', passwordConfirmation: 'a' })
  await caller.link('Post', 1, 'tags', [1, 2])
  // @ts-expect-error not to many
  await caller.link('Post', 1, 'author', 1)
  // @ts-expect-error no such model
  await caller.delete('Pots', 1)
}

export async function lists() {
  const posts: ListedRows<SeenRow<'Post', 'author'>> = await caller.list('Post', {
    include: ['author'],
    filter: {
      title: { contains: 'a' },
      author: { role: 'ADMIN' },
      tags: { some: { name: 'b' } },
      or: [{ id: [1, '2'] }],
    },
    sort: ['-createdAt', 'author.name'],
    page: { number: 1 },
  })
  // @ts-expect-error no such field
  const misspelt: FilterQuery<'Post'> = { titel: 'a' }
  // @ts-expect-error no such operator
  const operator: FilterQuery<'Post'> = { title: { has: 'a', includes: 'b' } }
  // @ts-expect-error not a value of the enum
  const value: FilterQuery<'Post'> = { author: { role: 'ADMN' } }
  for await (const { id } of job.list('Tag')) id.length
  return [posts.next, misspelt, operator, value]
}

export const transaction = (): Promise<string> =>
  job.transaction(async (within) => {
    const tag = await within.create('Tag', { name: 'a' })
    await within.link('Post', 1, 'tags', tag)
    return tag.name
  })
