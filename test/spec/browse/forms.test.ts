import { Schema } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserOf, tagOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

const api = useApi()
const browser = browserOf(api)
const formsOf = (text: string) => [...text.matchAll(/<details class="write" id="([^"]+)"/g)].map(([, id]) => id)

describe('"Replace all" of a relationship', () => {
  let path: string
  let ids: readonly string[]
  const pageOf = async (search: string) => {
    const { cookie } = await browser.signIn(users.admin)
    return (await browser.send(path + search, { headers: { Cookie: cookie } })).text
  }

  beforeAll(async () => {
    const names = ['one', 'two', 'three'].map((name) => ({ name: `all of them: ${name}` }))
    const tags = { create: names }
    const { id } = await addPost(api.db, { tags })
    ids = (await api.db.tag.findMany({ where: { posts: { some: { id } } }, orderBy: { name: 'asc' } })).map((tag) =>
      String(tag.id),
    )
    path = `/posts/${id}/relationships/tags`
  })

  test.each(['', '?include=tags', '?fields[tags]=name', '?sort=name'])('holds all of them at %j', async (search) => {
    const text = await pageOf(search)
    expect(formsOf(text)).toEqual(['attach', 'replace'])
    expect(tagOf(text, 'input id="replace-tags"')).toContain(`value="${ids.join(', ')}"`)
  })

  test('shows each by its name alone, with the button that takes it out, and offers none of them again', async () => {
    const text = await pageOf('')
    const list = /<ul class="links-held">.*?<\/ul>/s.exec(text)?.[0] ?? ''
    expect([...list.matchAll(/<li><a href="([^"]*)">([^<]*)<\/a><form/g)].map(([, , name]) => name)).toEqual([
      ...['all of them: one', 'all of them: two', 'all of them: three'].sort(),
    ])
    expect(list.replace(/<[^>]*>/g, '')).not.toMatch(/tags \d/)
    expect(list).toContain('aria-label="Remove all of them: one"')
    const held = /data-held="([^"]*)"/.exec(tagOf(text, 'input id="attach-tags"') ?? '')?.[1] ?? ''
    expect(JSON.parse(held.replaceAll('&quot;', '"')).sort()).toEqual([...ids].sort())
    expect(text).toContain('Type a part of its name.<noscript> Commas stand between several.</noscript>')
  })

  test('is not offered where a filter leaves some of them out', async () => {
    expect(formsOf(await pageOf(`?filter[id]=${ids[0]}`))).toEqual(['attach'])
  })
})

describe('"Replace all" of a relationship in pages', () => {
  class TagSchema extends Schema<'Tag'> {
    override defaultPagination = { number: '1', size: '2' }
  }
  const servers = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [openServer('paged', { Post: Schema<'Post'>, Tag: TagSchema })],
  }))
  const formsAt = async (path: string) => {
    const response = await fetch(servers.at + path, { headers: { Accept: 'text/html' } })
    return formsOf(await response.text())
  }

  test('is offered where all are on the page that was asked for by nobody', async () => {
    const of = async (count: number) => {
      const create = Array.from({ length: count }, (_, i) => ({ name: `in pages: ${i} of ${count}` }))
      const { id } = await addPost(servers.db, { tags: { create } })
      return `/api/paged/posts/${id}/relationships/tags`
    }
    expect(await formsAt(await of(2))).toEqual(['attach', 'replace'])
    const three = await of(3)
    expect(await formsAt(three)).toEqual(['attach'])
    expect(await formsAt(`${three}?page[number]=2&page[size]=2`)).toEqual(['attach'])
    expect(await formsAt(`${three}?page[number]=9&page[size]=2`)).toEqual(['attach'])
  })
})

describe('the version that a page shows', () => {
  test('is sent by every form that changes it; there is none of a type without versions', async () => {
    const { cookie } = await browser.signIn(users.admin)
    const formsAt = async (path: string) => {
      const { text } = await browser.send(path, { headers: { Cookie: cookie } })
      return [...text.matchAll(/<form action="[^"]*" method="post" novalidate [^>]*>/g)].map(
        ([tag]) => /data-if-match="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&quot;', '"') ?? null,
      )
    }
    const { id, updatedAt } = await addPost(api.db, { publishedAt: null })
    const tag = expect.stringMatching(new RegExp(`^"${updatedAt.toISOString()}/[\\w-]{22}"$`))
    expect(await formsAt(`/posts/${id}?-edit=true`)).toEqual([tag])
    // Publish, and + at the tags.
    expect(await formsAt(`/posts/${id}`)).toEqual([tag, tag])
    expect(await formsAt(`/posts/${id}/relationships/tags`)).toEqual([tag, tag])
    expect(await formsAt('/tags/1?-edit=true')).toEqual([null])
  })
})

test('a form offers seconds, and parts of a second where the value has some', async () => {
  const { cookie } = await browser.signIn(users.admin)
  const controlOf = async (publishedAt: Date) => {
    const { id } = await addPost(api.db, { publishedAt })
    const { text } = await browser.send(`/posts/${id}?-edit=true`, { headers: { Cookie: cookie } })
    return /step="[^"]*" value="[^"]*"/.exec(tagOf(text, 'input id="update-publishedAt"') ?? '')?.[0]
  }
  expect(await controlOf(new Date('2020-01-02T03:04:05Z'))).toBe('step="1" value="2020-01-02T03:04:05"')
  expect(await controlOf(new Date('2020-01-02T03:04:05.060Z'))).toBe('step="0.001" value="2020-01-02T03:04:05.060"')
})

test('what is true or false is ticked, and chosen by words where it may be neither', async () => {
  const { cookie } = await browser.signIn(users.admin)
  const video = await api.db.video.findFirstOrThrow({ where: { featured: true } })
  const pageOf = async (path: string) => (await browser.send(path, { headers: { Cookie: cookie } })).text
  expect(tagOf(await pageOf(`/videos/${video.id}?-edit=true`), 'input type="checkbox" id="update-featured"')).toMatch(
    / checked>$/,
  )
  expect(await pageOf('/videos?-new=')).toMatch(
    /<select id="create-featured" [^>]*><option value="true">yes<\/option><option value="false" selected>no<\/option><\/select>/,
  )
})

test('a value that is cut for a table is cut between characters', async () => {
  const synopsis = `${'a'.repeat(59)}😀 and more`
  await addPost(api.db, { slug: 'cut-in-two', synopsis })
  const { text } = await browser.send('/posts?filter[slug][in]=cut-in-two&fields[posts]=synopsis')
  expect(text).toContain(`>${'a'.repeat(59)}…</td>`)
})
