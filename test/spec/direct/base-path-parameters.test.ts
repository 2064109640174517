import { serverAt, serverWith } from '@prismapi/core/server/compile'
import { Policy, type Rules, Server, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { plain, useServers } from '../../support/servers.ts'

// Who acts without HTTP passes what the path would say: `/api/:author/v1`.

class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can([this.reads, this.writes, 'create'])
  }
}

/** Shows the posts of the author that the path names. */
class ByAuthor extends Server {
  override readonly name = 'by-author'
  override readonly basePath = '/api/:author/v1'
  override serving(phase: Serving) {
    phase.scope('Post', { author: { email: `${phase.params.author}@example.com` } })
    phase.creating('Post', (_, { params }) => ({
      authorId: Number(/\d+/.exec(params.author ?? '')?.[0]),
      content: `by ${params.author}`,
    }))
  }
}

const example = useServers(() => ({
  servers: [plain(ByAuthor)],
  policies: new Map([['Post', PostPolicy as never]]),
}))

const server = 'by-author'
const of = (author: string) => example.api.as(null, { server, params: { author } })
const post = (slug: string) => ({ title: 'One', slug, content: 'x' })

describe('what is passed', () => {
  test('is told to the code of the application', async () => {
    await of('member3').create('Post', post('by-3'))
    await of('member4').create('Post', post('by-4'))
    const slugs = ['by-3', 'by-4']
    const made = await example.db.post.findMany({ where: { slug: { in: slugs } }, orderBy: { slug: 'asc' } })
    expect(made.map(({ authorId, content }) => [authorId, content])).toEqual([
      [3, 'by member3'],
      [4, 'by member4'],
    ])
    const seen = async (author: string) => {
      const rows = await of(author).list('Post', { filter: { slug: slugs } })
      return rows.map(({ slug }) => slug)
    }
    expect([await seen('member3'), await seen('member4'), await seen('nobody')]).toEqual([['by-3'], ['by-4'], []])
  })

  test('is a part of an idempotency key', async () => {
    const ask = (author: string, slug: string) => of(author).create('Post', post(slug), { idempotencyKey: 'once' })
    const [here, there, again] = [
      await ask('member3', 'key-3'),
      await ask('member4', 'key-4'),
      await ask('member3', 'key-3'),
    ]
    expect([here?.slug, there?.slug]).toEqual(['key-3', 'key-4'])
    expect(again).toEqual(here)
  })
})

test('a server is the same for all calls with the values of one path, and few paths are kept', () => {
  const [compiled] = example.api.servers
  if (!compiled) throw new Error('There is no server.')
  const by = (author: string) => serverWith(compiled, { author })
  const first = by('é')
  const located = compiled.base.locate('/api/%c3%a9/v1/posts')
  expect(located && serverAt(compiled, located)).toBe(first)
  expect([by('é') === first, by('e') === first]).toEqual([true, false])
  for (let i = 0; i < 1001; i++) by(`author-${i}`)
  expect(by('é')).not.toBe(first)
})

test.each([
  [undefined],
  [{}],
  [{ organization: 'member3' }],
  [{ author: '' }],
  [{ author: '..' }],
  [{ author: 'a\n' }],
  [{ author: '\ud800' }],
  [{ author: null }],
])('%j is an error that says what to pass', (params) => {
  const said = new Error(
    'The base path of by-author is /api/:author/v1. Pass the values of its parameters: { author: … }.',
  )
  expect(() => example.api.as(null, { server, params: params as never })).toThrow(said)
  expect(() => example.api.asSystem('nightly', { server, params: params as never })).toThrow(said)
})
