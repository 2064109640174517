import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { browserOf } from '../../support/pages.ts'

// Groups as a page: a chart, and a table that says the same.

const api = useApi()
const browser = browserOf(api)
const page = async (path: string) => {
  const { status, text } = await browser.send(`/api/v2${path}`)
  expect(status).toBe(200)
  return text
}

test('groups by a boolean are bars above a table', async () => {
  const text = await page('/videos/-stats?groupBy=featured&withStats[*]=count&withStats[rating]=avg')
  const count = await api.db.video.count({ where: { featured: true } })
  expect(text).toContain('<figcaption>count by featured</figcaption>')
  expect(text.match(/class="bar"/g)).toHaveLength(2)
  expect(text).toContain(`<title>true: ${count}</title>`)
  expect(text).toContain('<th scope="col">avg of rating</th>')
  expect(text).toContain(`<td class="number"><code>${count}</code></td>`)
})

test('groups by an instant are a line, and those by a relation link to their resources', async () => {
  expect(await page('/posts/-stats?groupBy=publishedAt:month')).toContain('<polyline class="line" points="')
  expect(await page('/posts/-stats?groupBy=author')).toMatch(/<td><a href="\/api\/v2\/users\/\d+">users \d+<\/a><\/td>/)
})

test('groups by several keys have a table alone', async () => {
  const text = await page('/comments/-stats?groupBy=author,createdAt:year')
  expect(text).not.toContain('<svg')
  expect(text).toContain('<th scope="col">createdAt:year</th>')
})

test('a collection leads to its groups', async () => {
  expect(await page('/videos')).toContain('<a href="/api/v2/videos/-stats?groupBy=featured">featured</a>')
  expect(await page('/tags')).not.toContain('-stats')
})
