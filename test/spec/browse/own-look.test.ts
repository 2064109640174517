import type { OwnPage } from '@prismapi/core/server/page-part'
import type { PageOptions } from '@prismapi/core/server/server'
import { checkPages } from '@prismapi/pages/compile-pages'
import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { browserAccept } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

// An application's name, colour and logo on the pages.

class User extends Schema<'User'> {}
class Post extends Schema<'Post'> {}
class Tag extends Schema<'Tag'> {}
class Comment extends Schema<'Comment'> {}

const looking = (name: string, pages: PageOptions) => {
  const parts = openServer(name, { User })
  class Looking extends parts.server {
    override readonly name = name
    override readonly pages = pages
  }
  return { ...parts, server: Looking }
}

describe('a server', () => {
  const api = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [
      looking('own', { name: 'Acme <Publishing>', colour: '#FFEB3B', logo: '/logo.svg' }),
      looking('violet', { colour: '#7b1fa2' }),
      looking('plain', {}),
    ],
  }))
  const get = (path: string) => fetch(api.at + path, { headers: { Accept: browserAccept } })
  const sheetOf = (text: string) => /<link rel="stylesheet" href="([^"]*own\.css[^"]*)">/.exec(text)?.[1]

  test('has its name, its logo and its colour, under the policy of all pages', async () => {
    const page = await get('/api/own/users')
    const text = await page.text()
    expect(text).toContain('<title>Users · Acme &lt;Publishing&gt;</title>')
    expect(text).toContain('<img src="/logo.svg" alt=""><span>Acme &lt;Publishing&gt;</span></a>')
    const policy = page.headers.get('Content-Security-Policy')
    expect(policy).toBe((await get('/api/plain/users')).headers.get('Content-Security-Policy'))
    expect(policy).not.toContain('unsafe-inline')
    const sheet = await get(sheetOf(text) as string)
    expect([sheet.status, sheet.headers.get('Content-Type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(sheet.headers.get('Cache-Control')).toContain('immutable')
  })

  test('shades a colour that would be hard to read, for light and for dark pages', async () => {
    const coloursOf = async (name: string) => {
      const sheet = await (await get(sheetOf(await (await get(`/api/${name}/users`)).text()) as string)).text()
      return /--link: light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/.exec(sheet)?.slice(1)
    }
    const [lightYellow, darkYellow] = (await coloursOf('own')) as [string, string]
    expect(darkYellow).toBe('#ffeb3b')
    expect(lightYellow).not.toBe('#ffeb3b')
    const [lightViolet, darkViolet] = (await coloursOf('violet')) as [string, string]
    expect(lightViolet).toBe('#7b1fa2')
    expect(darkViolet).not.toBe('#7b1fa2')
  })

  test('without a colour has no sheet of its own', async () => {
    const text = await (await get('/api/plain/users')).text()
    expect(sheetOf(text)).toBeUndefined()
    expect(text).toContain('<img src="/api/plain/-browse/assets/icon.svg?')
    expect((await get('/api/plain/-browse/assets/own.css')).status).toBe(404)
  })
})

describe('the start page', () => {
  const api = useServers(() => {
    const parts = openServer('grouped', { User, Post, Tag, Comment })
    class Grouped extends parts.server {
      override readonly name = 'grouped'
      override readonly pages = { groups: { People: ['users'], Texts: ['tags', 'posts'] } }
    }
    return { policies: new Map(), production: false, servers: [{ ...parts, server: Grouped }] }
  })

  test('has the groups that the server declares, and all other types below them', async () => {
    const text = await (await fetch(`${api.at}/api/grouped`, { headers: { Accept: browserAccept } })).text()
    const groups = text.split('<section class="group"').slice(1)
    expect(
      groups.map((group) => [
        /<h2[^>]*>([^<]*)/.exec(group)?.[1],
        [...group.matchAll(/<h3><a href="\/api\/grouped\/([a-z]+)">/g)].map(([, type]) => type),
      ]),
    ).toEqual([
      ['People', ['users']],
      ['Texts', ['tags', 'posts']],
      ['Others', ['comments']],
    ])
    expect(text).toContain('An article. Everybody can read it from the day on which it is published.')
  })
})

describe('an application', () => {
  class Post2 extends Post {
    override readonly columns = ['author', 'title'] as const
    override readonly group = 'Texts'
    override readonly icon = '✎'
  }
  class Tag2 extends Tag {
    override readonly group = 'Texts'
    override readonly icon = '/tag.svg'
  }
  const parts = openServer('own', { User, Post: Post2, Tag: Tag2, Comment })
  class Own extends parts.server {
    override readonly name = 'own'
    override readonly pages = {
      links: { Shop: 'https://shop.example.com', Jobs: '/jobs' },
      own: {
        reports: {
          title: 'Reports',
          content: async ({ html, list, typeOf, user }: Parameters<OwnPage['content']>[0]) => {
            const posts = typeOf('Post')
            const [first] = posts ? await list(posts, { query: { sort: 'id' }, most: 1 }) : []
            return html`<p class="report">${user === null ? 'Nobody <reads>' : 'Known'} ${first?.id}</p>`
          },
        },
      },
    }
  }
  const api = useServers(() => ({ policies: new Map(), production: false, servers: [{ ...parts, server: Own }] }))
  const pageOf = async (path: string) => {
    const response = await fetch(`${api.at}${path}`, { headers: { Accept: browserAccept } })
    return { status: response.status, text: await response.text() }
  }

  test('says by its schema classes which columns, which group and which sign a type has', async () => {
    const { text } = await pageOf('/api/own')
    const rail = text.slice(text.indexOf('id="rail"'), text.indexOf('</nav>', text.indexOf('id="rail"')))
    expect([...rail.matchAll(/class="group"[^>]*>([^<]*)/g)].map(([, title]) => title)).toEqual(['Texts', 'Others'])
    expect(rail).toContain(
      '<a href="/api/own/posts"><span><span class="glyph" aria-hidden="true">✎</span>Posts</span></a>',
    )
    expect(rail).toContain('<img class="glyph" src="/tag.svg" alt="">Tags')
    const list = (await pageOf('/api/own/posts')).text
    expect(
      [...list.matchAll(/<th scope="col"[^>]*>(?:<input [^>]*> )?(?:<a [^>]*>)?([^<]+)/g)].map(([, title]) => title),
    ).toEqual(['Title', 'Author'])
  })

  test('has links in the rail, and pages of its own in the frame, for their reader', async () => {
    const { status, text } = await pageOf('/api/own/-browse/own/reports')
    expect(status).toBe(200)
    expect(text).toContain('<h1>Reports</h1>')
    expect(text).toMatch(/<p class="report">Nobody &lt;reads&gt; \d+<\/p>/)
    expect(text).toContain(
      '<hr><ul class="plain"><li><a href="/api/own/-browse/own/reports">Reports</a></li><li><a href="https://shop.example.com">Shop</a></li><li><a href="/jobs">Jobs</a></li></ul>',
    )
    expect((await pageOf('/api/own/-browse/own/nothing')).status).toBe(404)
  })

  test.each([
    [
      { links: { Evil: 'javascript:alert(1)' } },
      'pages.links of server own: "javascript:alert(1)" of Evil is no link.',
    ],
    [{ own: { 'a/b': { title: 'A', content: () => null } } }, 'pages.own of server own: "a/b" is no part of a URL.'],
  ])('is told at startup what is wrong with %j', (pages, message) => {
    expect(() => checkPages(pages, 'own', new Map())).toThrow(message)
  })
})
