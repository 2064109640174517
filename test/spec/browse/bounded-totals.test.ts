import { PagePagination, Schema } from 'prismapi'
import { french, german } from 'prismapi/languages'
import { describe, expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { browserAccept } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

// What pages tell of how many there are, where no more than so many are counted.

class Comment extends Schema<'Comment'> {
  override defaultPagination = { number: '1', size: '20' }

  override pagination() {
    return new PagePagination().withBoundedTotal(1100)
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  languages: { de: german, fr: french },
  servers: [openServer('counted', { Comment })],
}))

const textOf = async (path: string, language = 'en') => {
  const headers = { Accept: browserAccept, 'Accept-Language': language }
  const response = await fetch(`${servers.at}/api/${path}`, { headers })
  expect(response.status).toBe(200)
  return response.text()
}
const rangeIn = (text: string) => /<nav class="pages"[^>]*><span>([^<]*)<\/span>/.exec(text)?.[1]
const linksIn = (text: string) =>
  [...(/<nav class="pages".*?<\/nav>/s.exec(text)?.[0] ?? '').matchAll(/rel="(\w+)"/g)].map(([, name]) => name)
const countIn = (text: string) => /<h2><a href="[^"]*">Comments<\/a> <small>([^<]*)<\/small>/.exec(text)?.[1]

const told = [
  ['en', '21–40 of more than 1,100', 'more than 1,100'],
  ['de', '21–40 von mehr als 1.100', 'mehr als 1.100'],
  ['fr', '21–40 sur plus de 1\u202f100', 'plus de 1\u202f100'],
] as const

describe('more than are counted', () => {
  test.each(told)('%s', async (language, range, count) => {
    await fill(1101)
    const text = await textOf('counted/comments?page[number]=2&page[size]=20', language)
    expect([rangeIn(text), linksIn(text)]).toEqual([range, ['first', 'prev', 'next']])
    expect(countIn(await textOf('counted', language))).toBe(count)
  })

  test('the last page knows how many', async () => {
    await fill(1101)
    const text = await textOf('counted/comments?page[number]=56&page[size]=20')
    expect([rangeIn(text), linksIn(text)]).toEqual(['1101–1101 of 1101', ['first', 'prev']])
  })
})

test('as many as are counted are told as ever', async () => {
  await fill(1100)
  expect(rangeIn(await textOf('counted/comments?page[number]=2&page[size]=20'))).toBe('21–40 of 1100')
  expect(countIn(await textOf('counted'))).toBe('1,100')
})

/** So many comments. */
async function fill(count: number): Promise<void> {
  const [author] = await servers.db.user.findMany({ take: 1 })
  const one = { content: 'x', authorId: author?.id as number, postId: 1 }
  await servers.db.comment.deleteMany()
  await servers.db.comment.createMany({ data: Array.from({ length: count }, () => one) })
}
