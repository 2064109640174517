import { Schema, type WhereOf } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { openServer, pathOf } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// `%` and `_` are plain characters in what a declared filter searches for, on every database, whichever reader answers.

const names = ['100%', '1000', 'a_c', 'abc', 'A_C', '%_', '_', 'a\\c']
const caseless = resources.provider === 'sqlite'
const anyCase = caseless ? {} : { mode: 'insensitive' as const }

class Tags extends Schema<'Tag'> {
  override pagination() {
    return null
  }

  override filters() {
    return [
      this.filter('has', { where: (text) => ({ name: { contains: text } }) }),
      this.filter('begins', { where: (text) => ({ name: { startsWith: text } }) }),
      this.filter('ends', { where: (text) => ({ name: { endsWith: text } }) }),
      this.filter('lacks', { where: (text) => ({ NOT: { name: { contains: text } } }) }),
      this.filter('isNot', { where: (text) => ({ name: { not: { contains: text } } }) }),
      this.filter('anyCase', { where: (text): WhereOf<'Tag'> => ({ name: { contains: text, ...anyCase } }) }),
      this.filter('like', { where: (text): WhereOf<'Tag'> => ({ name: { equals: text, ...anyCase } }) }),
      this.filter('unlike', { where: (text): WhereOf<'Tag'> => ({ name: { not: text, ...anyCase } }) }),
      this.filter('atMostAndLeast', {
        where: (text): WhereOf<'Tag'> => ({ name: { gte: text, lte: text, ...anyCase } }),
      }),
      this.filter('belowOrAbove', {
        where: (text): WhereOf<'Tag'> => ({
          OR: [{ name: { lt: text, ...anyCase } }, { name: { gt: text, ...anyCase } }],
        }),
      }),
      this.filter('among', { list: true, where: (texts): WhereOf<'Tag'> => ({ name: { in: texts, ...anyCase } }) }),
      this.filter('outside', {
        list: true,
        where: (texts): WhereOf<'Tag'> => ({ name: { notIn: texts, ...anyCase } }),
      }),
      this.filter('anyOf', {
        list: true,
        where: (texts) => ({ OR: texts.map((text) => ({ name: { contains: text } })) }),
      }),
    ]
  }
}
class Posts extends Schema<'Post'> {
  override filters() {
    return [
      this.filter('tagged', { where: (text) => ({ tags: { some: { name: { contains: text } } } }) }),
      this.filter('untagged', { where: (text) => ({ tags: { none: { name: { contains: text } } } }) }),
    ]
  }
}

const schemas = { Tag: Tags, Post: Posts }

describe.each(['auto', 'prisma'] as const)('reads: %s', (reads) => {
  const api = useServers(() => ({
    policies: new Map(),
    servers: [openServer('all', schemas, { reads })],
  }))

  beforeAll(async () => {
    await api.db.tag.deleteMany()
    await api.db.tag.createMany({ data: names.map((name, i) => ({ id: i + 1, name })) })
    for (const [id, tag] of [
      [1, 1],
      [2, 2],
      [3, 3],
    ] as const)
      await api.db.post.update({ where: { id }, data: { tags: { connect: { id: tag } } } })
  })

  async function found(type: string, query: Readonly<Record<string, string>>) {
    const { status, body } = await api.as(null)('GET', pathOf('all', `/${type}`, { sort: 'id', ...query }))
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
    return body.data.map(({ id }: { readonly id: string }) => Number(id))
  }

  test.each<[string, string, readonly number[]]>([
    ['has', '%', [1, 6]],
    ['has', '_', [3, 5, 6, 7]],
    ['has', '%_', [6]],
    ['has', '\\', [8]],
    ['begins', 'a_', caseless ? [3, 5] : [3]],
    ['begins', '%', [6]],
    ['ends', '0%', [1]],
    ['ends', '_', [6, 7]],
    ['lacks', '_', [1, 2, 4, 8]],
    ['isNot', '%', [2, 3, 4, 5, 7, 8]],
    ['anyCase', 'A_c', [3, 5]],
    ['anyCase', 'A\\', [8]],
    ['like', 'A_c', caseless ? [] : [3, 5]],
    ['like', '100%', [1]],
    ['like', 'a\\C', caseless ? [] : [8]],
    ['unlike', 'A_c', caseless ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 4, 6, 7, 8]],
    ['unlike', '100%', [2, 3, 4, 5, 6, 7, 8]],
    ['unlike', 'a\\C', caseless ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 3, 4, 5, 6, 7]],
    ['atMostAndLeast', 'A_c', caseless ? [] : [3, 5]],
    ['atMostAndLeast', '100%', [1]],
    ['atMostAndLeast', 'a\\C', caseless ? [] : [8]],
    ['belowOrAbove', 'A_c', caseless ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 4, 6, 7, 8]],
    ['belowOrAbove', '100%', [2, 3, 4, 5, 6, 7, 8]],
    ['belowOrAbove', 'a\\C', caseless ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 3, 4, 5, 6, 7]],
    ['among', 'A_c,100%,a\\C', caseless ? [1] : [1, 3, 5, 8]],
    ['outside', 'A_c,100%,a\\C', caseless ? [2, 3, 4, 5, 6, 7, 8] : [2, 4, 6, 7]],
    ['among', 'a_c', caseless ? [3] : [3, 5]],
    ['outside', '_', [1, 2, 3, 4, 5, 6, 8]],
    ['anyOf', '0%,b', [1, 4]],
  ])('%s %s', async (name, text, ids) => {
    expect(await found('tags', { [`filter[${name}]`]: text })).toEqual(ids)
    expect(await found('tags', { [`filter[or][0][${name}]`]: text })).toEqual(ids)
  })

  test('behind a relation', async () => {
    const posts = { 'filter[id]': '1,2,3' }
    expect(await found('posts', { ...posts, 'filter[tagged]': '0%' })).toEqual([1])
    expect(await found('posts', { ...posts, 'filter[untagged]': 'a_c' })).toEqual([1, 2])
    expect(await found('posts', { ...posts, 'filter[tags.has]': '_' })).toEqual([3])
  })
})
