import { beforeAll, expect, test } from 'vitest'
import { browserAccept } from '../pages.ts'
import type { FixtureProvider } from './fixtures.ts'
import { toOne, useFixture } from './use-fixture.ts'

/** Rows that keep others from going, because the database would have to empty a column of theirs that cannot be null. */
export function keepsWhatItsRowsRequire(provider: FixtureProvider): void {
  const api = useFixture('relations', { provider })
  const ids = { user: '', article: '', part: '', free: '' }

  beforeAll(async () => {
    if (provider === 'sqlite') await api.execute(asOnPostgres)
    ids.user = await api.create('users', { handle: 'ann' })
    ids.article = await api.create('articles', { title: 'one' }, { author: toOne('users', ids.user) })
    const ofArticle = { article: toOne('articles', ids.article) }
    ids.part = await api.create('parts', { position: 1 }, ofArticle)
    ids.free = await api.create('parts', { position: 2 }, ofArticle)
    await api.create('marks', {}, { part: toOne('parts', ids.part) })
  })

  const stillRelated = [
    {
      status: '409',
      code: 'constraint',
      title: 'Conflict',
      detail: 'Resources of type marks are still related, by part.',
      meta: { type: 'marks', relations: ['part'] },
    },
  ]

  test('a DELETE is 409, and names the type and the relation that still lead to the resource', async () => {
    const { status, body } = await api.ask('DELETE', `/parts/${ids.part}`)
    expect([status, body.errors]).toEqual([409, stillRelated])
  })

  test('so is one whose row would take along what they lead to', async () => {
    const before = await api.rows('Article', 'Part', 'Mark')
    const { status, body } = await api.ask('DELETE', `/articles/${ids.article}`)
    expect([status, body.errors]).toEqual([409, stillRelated])
    expect(await api.rows('Article', 'Part', 'Mark')).toEqual(before)
  })

  test('the page that asks before says so', async () => {
    const page = await fetch(api.url(`/parts/${ids.part}?-delete=true`), { headers: { Accept: browserAccept } })
    expect(await page.text()).toContain(
      '<p>1 mark refers to it.</p><ul class="blockers"><li><a href="/api/v1/marks/1">Mark 1</a></li></ul>',
    )
  })

  test('what none of them leads to goes', async () => {
    expect((await api.ask('DELETE', `/parts/${ids.free}`)).status).toBe(204)
  })
}

/** Prisma does not make such a foreign key here; who makes tables by hand may. */
const asOnPostgres = `
  DROP TABLE "marks";
  CREATE TABLE "marks" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "part_id" INTEGER NOT NULL REFERENCES "Part" ("id") ON DELETE SET NULL
  )`
