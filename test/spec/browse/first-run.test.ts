import { Policy, Schema, Server } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, browserOf } from '../../support/pages.ts'
import { plain, useServers } from '../../support/servers.ts'

// What the pages say before there is something to show, and what they say to who writes the application.

class Closed extends Server {
  override readonly name = 'closed'
}
class Tag extends Schema<'Tag'> {}
class TagPolicy extends Policy<'Tag'> {}

const pageAt = async (url: string) => (await fetch(url, { headers: { Accept: browserAccept } })).text()

describe('a start page', () => {
  const policies = new Map([['Tag', TagPolicy]]) as never
  const developed = useServers(() => ({ policies, production: false, servers: [plain(Closed)] }))
  class Shown extends Closed {
    override readonly browsable = true
  }
  const production = useServers(() => ({ policies, production: true, servers: [plain(Shown)] }))
  const empty = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [
      openServer('empty', { Tag }, { serving: (phase) => phase.scope('Tag', { name: 'there is none' }) }),
      openServer('full', { Tag }),
    ],
  }))

  test('of types that nobody may read is a checklist, with the commands and the file to open', async () => {
    const text = await pageAt(`${developed.at}/api/closed`)
    const [list = ''] = /<section class="panel first-run">.*?<\/section>/s.exec(text) ?? []
    expect(list).toMatch(/<h2>\d+ types, none readable yet<\/h2>/)
    const steps = [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, step = '']) => step.replace(/<[^>]*>/g, ''))
    expect(steps).toEqual([
      'You are a guest. If your policies ask for a user, sign in.',
      expect.stringMatching(
        /^\d+ models have no policy, which denies everything\. Write one: npx prismapi policy \w+$/,
      ),
      expect.stringMatching(/^Open the file, and allow reading: policies\/[a-z-]+\.policy\.ts can\(this\.reads\)$/),
      expect.stringMatching(
        /^To see why something is denied, run npx prismapi explain &quot;GET \/api\/closed\/[a-z-]+&quot;$/,
      ),
    ])
  })

  test('says in production neither how many types there are nor where their rules stand', async () => {
    expect(await pageAt(`${production.at}/api/closed`)).not.toContain('first-run')
  })

  test('without rows leads to the first one, and to example data', async () => {
    const text = await pageAt(`${empty.at}/api/empty`)
    const [list = ''] = /<section class="panel first-run">.*?<\/section>/s.exec(text) ?? []
    expect(list).toContain('<h2>No rows yet</h2>')
    expect(list).toContain('<a class="new" href="/api/empty/tags?-new=">New tag</a>')
    expect(list).toContain('<code>npx prisma db seed</code>')
    expect(await pageAt(`${empty.at}/api/full`)).not.toContain('first-run')
  })
})

describe('without the tables of the Prisma schema', () => {
  const servers = useServers(() => ({ production: false, policies: new Map(), servers: [openServer('bare', { Tag })] }))

  test('a start page names the command that makes them, and shows the types', async () => {
    await servers.db.$executeRawUnsafe('ALTER TABLE "Tag" RENAME TO "TagOfBefore"')
    const answer = await fetch(`${servers.at}/api/bare`, { headers: { Accept: browserAccept } })
    const text = await answer.text()
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('<h2>The database has not all tables of the Prisma schema</h2>')
    expect(text).toContain('<code>npx prisma migrate deploy</code>')
    expect(text).toContain('href="/api/bare/tags"')
  })
})

describe('the drawer of a form', () => {
  const api = useApi()
  const browser = browserOf(api)
  const drawerOf = async (path: string) => {
    const { cookie } = await browser.signIn(users.admin)
    const { text } = await browser.send(path, { headers: { Cookie: cookie } })
    const drawer = text.slice(text.indexOf('<aside class="drawer"'))
    return drawer.replaceAll('&#39;', "'").replaceAll('&quot;', '"')
  }

  test('has the write that creates, for a shell, for a program and for the typed client, and the rule', async () => {
    const drawer = await drawerOf('/posts?-new=')
    expect(drawer).toMatch(
      /curl -g -X POST -H 'Content-Type: application\/vnd\.api\+json' -d '\{"data":\{"type":"posts"/,
    )
    expect(drawer).toMatch(/method: 'POST',\n.*\n {2}body: JSON\.stringify\(\{"data":\{"type":"posts"/)
    expect(drawer).toMatch(/await api\.POST\('\/api\/v1\/posts', \{\n {2}body: \{"data":/)
    expect(drawer).toMatch(
      /<h3>Allowed by<\/h3><p class="rule"><code>can\(.*<small>policies\/post\.policy\.ts:\d+<\/small>/,
    )
    expect(drawer).not.toContain('api.GET')
  })

  test('has the one that edits', async () => {
    const drawer = await drawerOf('/posts/1?-edit=true')
    expect(drawer).toMatch(/curl -g -X PATCH .*"id":"1"/)
    expect(drawer).toMatch(/await api\.PATCH\('\/api\/v1\/posts\/\{id\}', \{\n {2}params:/)
    expect(await drawerOf('/posts/1')).toContain('api.GET')
  })
})

describe('statistics', () => {
  const api = useApi()
  const browser = browserOf(api)

  test('have an axis with values, and say how many have no value', async () => {
    const { cookie } = await browser.signIn(users.admin, '/api/v2')
    const { text } = await browser.send('/api/v2/posts/-stats?groupBy=publishedAt:month', {
      headers: { Cookie: cookie },
    })
    const [chart = ''] = /<figure class="chart">.*?<\/figure>/s.exec(text) ?? []
    expect([...chart.matchAll(/<line class="axis"/g)]).toHaveLength(3)
    expect(chart).toMatch(/<div class="scale" aria-hidden="true">(?:<span>[\d,.]+<\/span>){3}<\/div>/)
    expect(chart).toMatch(/<span>2024-02 <b>\d+<\/b><\/span>/)
    expect(chart).toMatch(/<p class="soft">Without published at: <b>\d+<\/b><\/p>/)
  })

  test('have two decimals at most', async () => {
    const { cookie } = await browser.signIn(users.admin, '/api/v2')
    const { text } = await browser.send('/api/v2/videos/-stats?groupBy=featured&withStats[rating]=avg', {
      headers: { Cookie: cookie },
    })
    const figures = [...text.matchAll(/<td class="n"[^>]*>([^<]*)<\/td>/g)].map(([, figure = '']) => figure)
    expect(figures.length).toBeGreaterThan(0)
    expect(figures.filter((figure) => /\.\d{3}/.test(figure))).toEqual([])
  })
})
