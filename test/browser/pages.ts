import type { BrowserContextOptions, Page } from 'playwright-core'
import { Policy, type Rules, type User } from 'prismapi'
import { afterAll, beforeAll } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import V2 from '../../src/app/v2/server.ts'
import { authSecret, users } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { pseudoFor } from '../support/pseudo-pages.ts'
import { addPost } from '../support/rows.ts'
import { type Database, exampleWith, type Running, startServers } from '../support/servers.ts'
import { executable, useBrowser } from './chromium.ts'

// Every kind of page, and who sees it.

class Browsed extends V2 {
  override readonly browsable = true
  override readonly live = { trail: true }
}
class ChangePolicy extends Policy {
  override abilities({ can }: Rules, user: User | null) {
    if (user) can(this.reads)
  }
}

export const desk = { width: 1440, height: 900 }
export const phone = { width: 360, height: 740 }

export const callers = { guest: null, member: users.member3, admin: users.admin } as const
export type Caller = keyof typeof callers

/** The second version of the example with its trail, and with a language that has no letters of English, for the tests of one file. */
export function usePages() {
  let database: Database
  let running: Running
  let wordsLeft: ReturnType<typeof pseudoFor>['wordsLeft']
  let own = 0
  const url = (path: string) => running.at + path
  const authorization = async (id: number) => `Bearer ${await signToken(id, authSecret)}`
  beforeAll(async () => {
    if (!executable) return
    database = await openTestDatabase()
    const example = await exampleWith(Browsed)
    const policies = new Map([...(example.policies as ReadonlyMap<string, never>), ['Change', ChangePolicy]]) as never
    const found = { ...example, policies }
    const plain = await startServers(database, found)
    const pseudo = pseudoFor(plain.api.servers)
    await plain.close()
    wordsLeft = pseudo.wordsLeft
    running = await startServers(database, { ...found, production: true, languages: pseudo.languages })
    own = (await addPost(database.writer)).id
  })
  afterAll(async () => {
    await running?.close()
    await database?.close()
  })
  const browser = useBrowser({ url, authorization })

  /** Shows a caller each page in one tab. */
  async function walk(
    caller: Caller,
    visit: (page: Page, name: string) => Promise<unknown>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const page = await browser.at('/api/v2', callers[caller], { viewport: desk, colorScheme: 'light', ...options })
    for (const [name, { path, by, prepare }] of Object.entries(pages)) {
      if (by && !by.includes(caller)) continue
      await page.goto(url(`/api/v2${path.replace('own', String(own))}`))
      await prepare?.(page, database.writer)
      await visit(page, name)
      // So that nobody is asked about what was written there.
      await page.evaluate("for (const form of document.forms) form.dataset.sent = ''")
    }
    await page.context().close()
  }

  return {
    ...browser,
    url,
    authorization,
    walk,
    wordsLeft: (texts: readonly string[]) => wordsLeft(texts),
    get db() {
      return database.writer
    },
  }
}

type Db = Database['writer']

interface Shown {
  readonly path: string
  /** Who has what it shows beyond reading; left out, everybody reads it. */
  readonly by?: readonly Caller[]
  /** What a reader does before they see it. */
  readonly prepare?: (page: Page, db: Db) => Promise<void>
}

const writers = ['member', 'admin'] as const

/** The page of a post of the member, whose form was overtaken. */
async function overtaken(page: Page, db: Db): Promise<void> {
  const id = new URL(page.url()).pathname.split('/').pop()
  await page.locator('#edit').click()
  await page.locator('#update-title').fill('№ 2')
  await db.post.update({ where: { id: Number(id) }, data: { synopsis: '№', updatedAt: new Date() } })
  await page.locator('#update .asks button').click()
  await page.locator('#update .conflict').waitFor()
}

const pages: Readonly<Record<string, Shown>> = {
  'the start page': { path: '' },
  'a table': { path: '/posts?page[size]=4' },
  'a table of booleans, numbers and links': { path: '/videos?withCount=comments&sort=-rating&page[size]=4' },
  'an empty table': { path: '/posts?filter[title]=%E2%84%96%E2%84%96' },
  'what is included': { path: '/posts?include=author,tags&page[size]=3' },
  'filters in force, and one that is written': {
    path: '/posts?filter[or][0][title][contains]=5&filter[or][1][author]=3&filter[not][0][slug]=0&page[size]=4&-field=publishedAt',
  },
  'a filter by a relation': { path: '/posts?page[size]=3&-field=author' },
  statistics: { path: '/posts/-stats?groupBy=publishedAt:month' },
  'a resource': { path: '/posts/1' },
  'what a resource is related to': { path: '/users/3/posts?page[size]=3' },
  'a relationship, with a picker': {
    path: '/posts/1/relationships/tags',
    by: ['admin'],
    async prepare(page) {
      await page.locator('#attach-tags').pressSequentially('1')
      await page.locator('#attach [role="option"]').first().waitFor()
    },
  },
  'a form that was refused': {
    path: '/posts?-new=',
    by: writers,
    async prepare(page) {
      await page.locator('#create-slug').fill('№')
      await page.locator('#create .asks button').click()
      await page.locator('#create-slug-error').waitFor({ state: 'visible' })
    },
  },
  'what is related to a resource': { path: '/posts/1?-tab=related' },
  'a history': { path: '/posts/own?-tab=history', by: writers },
  'what its reader may do': { path: '/posts/1?-tab=permissions' },
  'a form that edits': { path: '/posts/own?-edit=true', by: writers },
  'a bin': {
    path: '/posts?filter[trashed]=only',
    by: ['admin'],
    async prepare(page, db) {
      const { id } = await addPost(db, { title: '№', deletedAt: new Date() })
      await page.reload()
      await page.locator(`a[href$="/posts/${id}"]`).waitFor()
    },
  },
  'a form that was overtaken': { path: '/posts/own', by: writers, prepare: overtaken },
  'the question whether to delete': { path: '/posts/1?-delete=true', by: ['admin'] },
  'a question about many rows': { path: '/posts?page[size]=4&-many=change+synopsis', by: writers },
  'why something cannot be': { path: '/posts?-new=' },
  'an error': { path: '/posts/0' },
}

/** Opens what is folded. */
export const openAll = (page: Page) =>
  page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
