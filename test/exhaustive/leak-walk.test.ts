import { compareWithMissing, type Leak, walk } from '@prismapi/testing/internal/kit/leaks/walk'
import { Schema, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { useWorlds } from '../support/hidden-worlds.ts'
import { HidingServer } from '../support/hiding-servers.ts'

// The walk that finds nothing in the server has to find what applications can do wrong. Each of these leaks somewhere.

/** What an administrator is told; without the twin, by the documents alone. */
async function leaksOf(worlds: ReturnType<typeof useWorlds>, urls: readonly string[], with_: 'twin' | 'alone') {
  const walker = worlds.walker(1)
  const { leaks } = await walk(worlds.world, urls, with_ === 'twin' ? walker : { get: walker.get })
  return leaks
}

const words = (leaks: readonly Leak[]): string[] => leaks.map(({ what }) => what.replace(/: .*/s, ''))

describe('a server that forgets the scope of one model', () => {
  class Forgetful extends V1 {
    override serving(phase: Serving): void {
      const scope: Serving['scope'] = (model, where) => {
        if (model !== 'Tag') phase.scope(model, where)
      }
      new HidingServer().serving(Object.create(phase, { scope: { value: scope } }))
    }
  }
  const worlds = useWorlds({ server: Forgetful })

  test('is caught by identifiers, values and links in what is included', async () => {
    expect(await leaksOf(worlds, ['/posts/11?include=tags'], 'alone')).toEqual(
      expect.arrayContaining([
        { url: '/posts/11?include=tags', what: 'tells 9303 at .data.relationships.tags.data.1.id' },
        { url: '/posts/11?include=tags', what: 'tells tag 9303 at .included.1.attributes.name' },
        { url: '/posts/11?include=tags', what: 'links to a hidden row at .included.1.links.self' },
      ]),
    )
  })

  test('is caught by a hidden id that answers otherwise than a missing one', async () => {
    const leaks = await compareWithMissing(worlds.world, worlds.walker(1).get)
    expect(leaks.map(({ url }) => url)).toEqual(
      expect.arrayContaining(['/tags/9303', '/tags/9304/relationships/posts']),
    )
  })
})

describe('a schema that shows the foreign key of its author as an attribute', () => {
  class Telling extends Schema<'Comment'> {
    override fields() {
      return [
        this.morphTo('commentable', ['post', 'video']),
        this.attribute('writer').computed(['authorId'], ({ authorId }) => authorId),
      ]
    }
  }
  const worlds = useWorlds({ schemas: { Comment: Telling } })

  test('is caught, where the author is hidden', async () => {
    expect(await leaksOf(worlds, ['/comments/31', '/comments/32'], 'alone')).toEqual([
      { url: '/comments/32', what: 'tells 9005 at .data.attributes.writer' },
    ])
  })
})

describe('a schema whose index asks for related rows, hidden ones among them', () => {
  class Probing extends Schema<'Post'> {
    override softDelete = 'deletedAt' as const
    override indexQuery() {
      return { comments: { some: { content: { contains: 'hidden' } } } }
    }
  }
  const worlds = useWorlds({ schemas: { Post: Probing } })

  test('is caught by the twin, which has none', async () => {
    expect(words(await leaksOf(worlds, ['/posts'], 'alone'))).toEqual([])
    expect(words(await leaksOf(worlds, ['/posts'], 'twin'))).toEqual(['is not what it is without the hidden rows'])
  })
})
