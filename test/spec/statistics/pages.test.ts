import { french, german } from 'prismapi/languages'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { useApi, users } from '../../support/api.ts'
import { browserAccept, browserOf } from '../../support/pages.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Groups as a page: a chart, and a table that says the same.

const api = useApi()
const browser = browserOf(api)
const page = async (path: string) => {
  const { status, text } = await browser.send(`/api/v2${path}`)
  expect(status).toBe(200)
  return text
}

test('groups by a boolean are bars above a table, each with its name and its value', async () => {
  const text = await page('/videos/-stats?groupBy=featured&withStats[*]=count&withStats[rating]=avg')
  const count = await api.db.video.count({ where: { featured: true } })
  expect(text).toContain('<figcaption>Videos by Featured</figcaption>')
  const others = (await api.db.video.count()) - count
  expect(barsIn(text)).toEqual([
    ['no', '100%', String(others)],
    ['yes', `${Math.round((1000 * count) / others) / 10}%`, String(count)],
  ])
  expect(text).toContain(`<title>yes: ${count}</title>`)
  // Some videos have no rating.
  expect(text).toContain('<th scope="col" class="n">Average of rating, where there is one</th>')
  expect(text).toContain(`<td class="n" data-label="Number of videos">${count}</td>`)
})

test('the values of a column have as many decimals as each other', async () => {
  const text = await page('/videos/-stats?groupBy=featured&withStats[rating]=avg')
  const cells = [...text.matchAll(/data-label="Average of rating, where there is one">([^<]*)</g)].map(
    ([, value]) => value,
  )
  expect(cells).toEqual([expect.stringMatching(/^\d\.\d\d$/), expect.stringMatching(/^\d\.\d\d$/)])
  expect(barsIn(text).map(([, , value]) => value)).toEqual(cells)
})

test('an average beside the number of its values says no more than that', async () => {
  const text = await page('/videos/-stats?groupBy=featured&withStats[rating]=count,avg')
  const heads = [...text.matchAll(/<th scope="col" class="n">([^<]*)</g)].map(([, head]) => head)
  expect(heads).toEqual(['Count of rating', 'Average of rating'])
  expect(text).toContain('<figcaption>Count of rating by Featured</figcaption>')
})

test('what can be done with groups stands beside the title', async () => {
  const text = await page('/videos/-stats?groupBy=featured')
  expect(text).toMatch(/<h1>Statistics of videos<\/h1><details class="menu" id="more">/)
  expect(text).not.toContain('class="tools"')
})

describe('in the language of its reader', () => {
  const languages = { de: german, fr: french }
  const servers = useServers(async () => ({ ...(await exampleWith(V2)), production: false, languages }))

  test.each([
    ['de', 'Videos nach Featured', 'Durchschnitt von rating, wo vorhanden'],
    ['fr', 'Videos par Featured', 'Moyenne de rating, si renseigné'],
  ])('%s: %s', async (language, title, head) => {
    const headers = { Accept: browserAccept, 'Accept-Language': language }
    const query = 'groupBy=featured&withStats[*]=count&withStats[rating]=avg'
    const text = await (await fetch(`${servers.at}/api/v2/videos/-stats?${query}`, { headers })).text()
    expect(text).toContain(`<figcaption>${title}</figcaption>`)
    expect(text).toContain(`<th scope="col" class="n">${head}</th>`)
  })
})

test('the group without a value has a name, and comes last', async () => {
  await api.db.video.updateMany({ data: { ownerId: null } })
  const { id } = await api.db.video.findFirstOrThrow()
  await api.db.video.update({ where: { id }, data: { ownerId: users.member3 } })
  const text = await page('/videos/-stats?groupBy=owner')
  expect(barsIn(text).map(([name]) => name)).toEqual([expect.stringMatching(/3$/), 'Without owner'])
  expect(text).toMatch(/Without owner<\/td>\s*<td class="n"[^>]*>\d+<\/td><\/tr><\/tbody>/)
})

/** The bars of a page: their names, how long they are, and what they say. */
const barsIn = (text: string) =>
  [...text.matchAll(/<span class="name">([^<]*)<\/span>.*?<svg width="([^"]*)".*?<b>([^<]*)<\/b>/gs)].map(
    ([, ...bar]) => bar,
  )

const pointsIn = (text: string) => /<polyline class="line" points="([^"]*)"/.exec(text)?.[1]?.split(' ') ?? []

test('groups by an instant are a line of time: a gap is a gap, and a single month can be seen', async () => {
  expect(await page('/posts/-stats?groupBy=publishedAt:month')).toMatch(/<path class="dots" d="M[\d. ]+h0"/)
  const [first, second, third] = await api.db.post.findMany({ where: { publishedAt: { not: null } }, take: 3 })
  const published = async (id: number | undefined, publishedAt: string) =>
    api.db.post.update({ where: { id: id ?? 0 }, data: { publishedAt } })
  await published(first?.id, '2022-01-03T00:00:00Z')
  await published(second?.id, '2022-01-10T00:00:00Z')
  await published(third?.id, '2022-03-28T00:00:00Z')
  for (const sort of ['', '&sort=count']) {
    const query = `groupBy=publishedAt:week&filter[publishedAt][lt]=2023-01-01T00:00:00Z${sort}`
    const points = pointsIn(await page(`/posts/-stats?${query}`)).map((point) => Number(point.split(',')[0]))
    // The second is one week of twelve away from the first.
    expect(points).toEqual([6, expect.closeTo(6 + 988 / 12, 0), 994])
  }
})

test('groups by a relation lead to their resources, by the names that the caller may see', async () => {
  const { id, name } = await api.db.user.findUniqueOrThrow({ where: { id: 3 } })
  const path = '/posts/-stats?groupBy=author'
  const { cookie } = await browser.signIn(users.admin, '/api/v2')
  const { status, text } = await browser.send(`/api/v2${path}`, { headers: { Cookie: cookie } })
  expect(status).toBe(200)
  expect(text).toContain(`<a href="/api/v2/users/${id}">${name}</a>`)
  expect(text).toContain(`<title>${name}: `)
  // Guests may not list users.
  expect(await page(path)).toMatch(/<td data-label="Author"><a href="\/api\/v2\/users\/\d+">user \d+<\/a><\/td>/)
})

test('groups by several keys have a table alone', async () => {
  const text = await page('/comments/-stats?groupBy=author,createdAt:year')
  expect(text).not.toContain('<svg')
  expect(text).toContain('<th scope="col">Created at (year)</th>')
})

test('a collection leads to its groups', async () => {
  expect(await page('/videos')).toContain('<a href="/api/v2/videos/-stats?groupBy=featured">Featured</a>')
  expect(await page('/tags')).not.toContain('-stats')
})

test.each([
  ['groupBy=nothing', 'explain', 400],
  ['groupBy=featured', 'explain=authorization', 200],
])('a page of groups that has none, ?%s with Prefer: %s, is %i', async (query, Prefer, status) => {
  const answer = await browser.send(`/api/v2/videos/-stats?${query}`, { headers: { Prefer } })
  expect(answer.status).toBe(status)
})
