import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('dashboard')
const admin = 'admin@example.com'

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('the figures and charts are drawn as the page shows them', async () => {
  const { status, headers, body } = await recipe.ask('GET /dashboard', { as: admin })
  expect({ status, type: headers.get('Content-Type') }).toEqual({ status: 200, type: 'text/html; charset=utf-8' })
  expect(body).toContain(recipe.shown('dashboard').trim())
})

test('months stand in their order, drafts behind them, and names are text', async () => {
  const { id } = await recipe.db.user.findUniqueOrThrow({ where: { email: 'member3@example.com' } })
  await recipe.db.user.update({ where: { id }, data: { name: '<b>Bob</b>' } })
  const post = { title: 'Earlier', slug: 'earlier', content: 'Long ago.', authorId: id }
  await recipe.db.post.create({ data: { ...post, publishedAt: new Date('2023-12-31T23:59:59Z') } })
  const { body } = await recipe.ask('GET /dashboard', { as: admin })
  const labels = [...body.matchAll(/<text x="0" y="[\d.]+">([^<]*)<\/text>/g)].map(([, label]) => label)
  expect(labels.slice(0, 3)).toEqual(['2023-12', '2024-02', 'drafts'])
  expect(labels).toContain('&lt;b&gt;Bob&lt;/b&gt;')
})
