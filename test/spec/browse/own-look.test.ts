import type { PageOptions } from '@prismapi/core/server/server'
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
    expect(text).toContain('once <code>publishedAt</code> lies in the past')
  })
})
