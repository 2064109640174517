import { Policy, type Rules, type User } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { browserOf } from '../../support/pages.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// The page of a resource tells its history, where the API tells its caller the log of changes.

class Audited extends V2 {
  override readonly browsable = true
  override readonly live = { trail: true }
}
class Untold extends V2 {
  override readonly browsable = true
}
class ChangePolicy extends Policy {
  override abilities({ can }: Rules, user: User | null) {
    if (user) can(this.reads)
  }
}
const withPolicy = async (making: ReturnType<typeof exampleWith>) => {
  const parts = await making
  return { ...parts, policies: new Map([...(parts.policies as never), ['Change', ChangePolicy]]) as never }
}
const audited = useServers(() => withPolicy(exampleWith(Audited)))
const fields = useServers(() => withPolicy(fieldServers(Audited) as ReturnType<typeof exampleWith>))
const untold = useServers(() => withPolicy(exampleWith(Untold)))

type Servers = typeof audited
const pageOf = async (servers: Servers, path: string, userId: number | null) => {
  const authorization = async (id: number) => `Bearer ${await signToken(id, authSecret)}`
  const browser = browserOf({ url: (each) => servers.at + each, authorization })
  const { cookie } = userId === null ? { cookie: '' } : await browser.signIn(userId, '/api/v2')
  return (await browser.send(path, { headers: { Cookie: cookie } })).text
}
const historyIn = (text: string): string => /<section class="history">.*?<\/section>/s.exec(text)?.[0] ?? ''
const tellsNothing = (text: string) => {
  expect(text).toContain('<article class="card">')
  expect(text).not.toContain('class="history"')
}
/** The cells of each row, as text. */
const rowsIn = (text: string) =>
  [...text.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row
      .split(/<\/th>|<\/td>/)
      .slice(0, -1)
      .map((cell) => cell.replace(/<[^>]*>/g, '').trim()),
  )

describe('the page of a resource', () => {
  let id: string
  beforeAll(async () => {
    const ask = audited.as(users.admin)
    const { body } = await ask('POST', '/api/v2/tags', {
      body: { data: { type: 'tags', attributes: { name: 'Begun' } } },
    })
    id = body.data.id
    await ask('PATCH', `/api/v2/tags/${id}`, { body: { data: { type: 'tags', id, attributes: { name: '<Later>' } } } })
    await audited.db.change.updateMany({
      where: { model: 'Tag', key: id, action: 'update' },
      data: { request: 'req-<1>', at: new Date('2024-05-06T07:08:09Z') },
    })
    await audited.db.tag.update({ where: { id: Number(id) }, data: { name: 'By hand' } })
  })

  test('says who changed it, when and how, by which request, the latest first', async () => {
    const history = historyIn(await pageOf(audited, `/api/v2/tags/${id}?-tab=history`, users.admin))
    expect(rowsIn(history).map(([, ...others]) => others.slice(0, 4))).toEqual([
      ['Updated', '–', 'Name: &lt;Later&gt; → By hand', '–'],
      ['Updated', 'Admin', 'Name: Begun → &lt;Later&gt;', 'req-&lt;1&gt;'],
      ['Created', 'Admin', '', '–'],
    ])
    expect(history).toContain('<time datetime="2024-05-06T07:08:09.000Z">2024-05-06 07:08</time>')
    expect(history).toContain('<a href="/api/v2/users/1">Admin</a>')
    expect(history).toContain('<a href="/api/v2/changes?filter[request]=req-%3C1%3E">req-&lt;1&gt;</a>')
    expect(history).toContain(`<a href="/api/v2/changes?filter[resource]=tags:${id}">All changes</a>`)
  })

  test('tells of the last twenty changes, and leads to the others', async () => {
    const tag = await audited.db.tag.create({ data: { name: 'often 0' } })
    for (let i = 1; i <= 24; i++) await audited.db.tag.update({ where: { id: tag.id }, data: { name: `often ${i}` } })
    const rows = rowsIn(historyIn(await pageOf(audited, `/api/v2/tags/${tag.id}?-tab=history`, users.admin)))
    expect(rows).toHaveLength(20)
    expect([rows[0]?.[3], rows[19]?.[3]]).toEqual(['Name: often 23 → often 24', 'Name: often 4 → often 5'])
  })

  test('tells nothing to who may not read the log, nor without the log as a type', async () => {
    tellsNothing(await pageOf(audited, `/api/v2/tags/${id}`, null))
    tellsNothing(await pageOf(untold, '/api/v2/tags/1', users.admin))
  })

  test('of a type of which its reader sees some tells of those', async () => {
    const data = { authorId: 2, slug: 'told-history', title: 'Told', content: 'Text.', publishedAt: new Date(0) }
    const post = await audited.db.post.create({ data })
    await audited.db.post.update({ where: { id: post.id }, data: { title: 'Told anew', authorId: 4 } })
    const history = historyIn(await pageOf(audited, `/api/v2/posts/${post.id}?-tab=history`, users.member3))
    expect(rowsIn(history)[0]?.[3]).toContain('Title: Told → Told anew')
    expect(history).toMatch(
      /Author: <del><a href="\/api\/v2\/users\/2">[^<]+<\/a><\/del> → <ins><a href="\/api\/v2\/users\/4">/,
    )
  })

  // Of an attribute of Json, whoever may write it chooses what the log has.
  test.each([
    [{ type: 1, id: 1 }, '{&quot;type&quot;:1,&quot;id&quot;:1}'],
    [{ type: 'users', id: '1,b' }, '{&quot;type&quot;:&quot;users&quot;,&quot;id&quot;:&quot;1,b&quot;}'],
    [{ type: 'users', id: '2' }, '{&quot;type&quot;:&quot;users&quot;,&quot;id&quot;:&quot;2&quot;}'],
  ])('takes the value %j of an attribute for no resource', async (value, expected) => {
    const { id: tagId } = await audited.db.tag.create({ data: { name: `json ${JSON.stringify(value)}` } })
    await audited.db.tag.update({ where: { id: tagId }, data: { name: `json later ${JSON.stringify(value)}` } })
    await audited.db.change.updateMany({
      where: { model: 'Tag', key: String(tagId), action: 'update' },
      data: { before: { name: 'Before' }, after: { name: value }, user: '1' },
    })
    const history = historyIn(await pageOf(audited, `/api/v2/tags/${tagId}?-tab=history`, users.admin))
    expect(rowsIn(history)[0]?.slice(1, 4)).toEqual(['Updated', 'Admin', `Name: Before → ${expected}`])
    expect(history).toContain(`<code>${expected}</code>`)
  })

  test('shows what became of a field alone where the log does not say what it was', async () => {
    const { id: tagId } = await audited.db.tag.create({ data: { name: 'unlogged' } })
    await audited.db.tag.update({ where: { id: tagId }, data: { name: 'unlogged later' } })
    await audited.db.change.updateMany({
      where: { model: 'Tag', key: String(tagId), action: 'update' },
      data: { before: {} },
    })
    const history = historyIn(await pageOf(audited, `/api/v2/tags/${tagId}?-tab=history`, users.admin))
    expect(rowsIn(history)[0]?.[3]).toBe('Name: unlogged later')
  })
})

test('no other page tells of changes that the API does not list to its reader', async () => {
  const data = { authorId: 2, slug: 'not-listed', title: 'Not listed', content: 'Text.', publishedAt: null }
  const post = await audited.db.post.create({ data })
  const { id } = await audited.db.change.findFirstOrThrow({ where: { model: 'Post', key: String(post.id) } })
  const listed = (await audited.as(users.member3)('GET', '/api/v2/changes')).body
  const page = (query: string) => pageOf(audited, `/api/v2${query}`, users.member3)
  const [, counted] = /<h2><a href="[^"]*">Changes<\/a> <small>([^<]*)</.exec(await page('')) ?? []
  const isNamed = async (change: unknown) => (await page(`?-made=changes/${change}`)).includes('class="done"')
  expect([counted, await isNamed(id), await isNamed(listed.data[0].id)]).toEqual([
    ...[String(listed.meta.page.total), false, true],
  ])
})

test('a field that a rule hides from the reader is not in the history', async () => {
  await fields.db.user.update({ where: { id: 4 }, data: { email: 'hidden@example.org', name: 'Shown' } })
  const history = historyIn(await pageOf(fields, '/api/v2/users/4?-tab=history', users.member3))
  expect(rowsIn(history)[0]?.[3]).toContain('→ Shown')
  expect(history).not.toMatch(/hidden|email/i)
  expect(historyIn(await pageOf(fields, '/api/v2/users/4?-tab=history', users.admin))).toContain('hidden@example.org')
})
