import { readFileSync } from 'node:fs'
import path from 'node:path'
import { script } from '@prismapi/pages/texts/reading'
import { Policy, type Rules, type User } from 'prismapi'
import { french, german } from 'prismapi/languages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V1 from '../../../src/app/v1/server.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { browserOf } from '../../support/pages.ts'
import { pseudoTag } from '../../support/pseudo.ts'
import { pseudoFor, withoutLetters } from '../../support/pseudo-pages.ts'
import { type Database, exampleWith, type Running, startServers, useServers } from '../../support/servers.ts'

// Pages are told in the language that their reader prefers.

class First extends V1 {
  override readonly browsable = true
}
class Second extends V2 {
  override readonly browsable = true
  override readonly live = { trail: true }
}
class ChangePolicy extends Policy {
  override abilities({ can }: Rules, user: User | null) {
    if (user) can(this.reads)
  }
}
async function parts() {
  const [{ policies, servers: first }, { servers: second }] = [await exampleWith(First), await exampleWith(Second)]
  const read = new Map([...(policies as ReadonlyMap<string, never>), ['Change', ChangePolicy]])
  return { policies: read as typeof policies, servers: [...first, ...second] }
}
const browserAt = (at: string) =>
  browserOf({
    url: (path) => at + path,
    authorization: async (id: number) => `Bearer ${await signToken(id, authSecret)}`,
  })

describe('a page', () => {
  const own = {
    ...german,
    posts: 'Beiträge',
    post: 'Beitrag',
    title: 'Titel',
    'published at': 'veröffentlicht am',
    "The post's name in a URL: lower case letters, digits and single dashes.": 'Der Name in der URL.',
  }
  const told = useServers(async () => ({ ...(await parts()), languages: { de: own, fr: french } }))
  const untold = useServers(parts)
  const pageIn = async (servers: typeof told, language: string, path = '/api/v1/posts?filter[title][not]=5') =>
    browserAt(servers.at).send(path, { headers: { 'Accept-Language': language } })

  test('is in the language of its reader, with the names that the application has for types and fields', async () => {
    const { status, headers, text } = await pageIn(told, 'de-AT, en;q=0.5')
    expect([status, headers.get('Content-Language'), headers.get('Vary')]).toEqual([
      200,
      'de',
      'Accept, Accept-Language, Accept-Encoding',
    ])
    expect(text).toMatch(/^<!doctype html>\n<html lang="de">/)
    expect(text).toContain('<h1>Beiträge</h1>')
    expect(text).toContain('<summary class="button main">Anmelden</summary>')
    expect(text).toContain('<p class="soft">Sie sind Gast.</p>')
    expect(text).toContain('title="Filter entfernen">Titel ist nicht 5</a>')
    expect(text).toContain('title="Sortieren nach: Veröffentlicht am">Veröffentlicht am</a>')
    expect(text).toMatch(/<span>1–\d+ von \d+<\/span>/)
  })

  test.each([
    ['en', 'Fields', 'See it'],
    ['de', 'Felder', 'Ansehen'],
    ['fr', 'Champs', 'Voir'],
  ])('tells the fields of a resource from the right to see it: %s', async (language, noun, verb) => {
    const { text } = await pageIn(told, language, '/api/v1/posts/1')
    expect(text).toContain(`<summary class="button">${noun}</summary>`)
    const { text: may } = await pageIn(told, language, '/api/v1/posts/1?-tab=permissions')
    expect(may).toMatch(new RegExp(`<span class="mark yes">[^<]+</span><span>${verb}, `))
  })

  test.each([
    ['de', 'Zurücksetzen'],
    ['fr', 'Réinitialiser'],
  ])('leads back from a view to the one without parameters: %s', async (language, word) => {
    const { text } = await pageIn(told, language, '/api/v1/posts?sort=title')
    expect(text).toContain(`<button name="-reset" value="1">${word}</button>`)
  })

  test('has the texts of its script', async () => {
    const { text } = await pageIn(told, 'fr')
    const [, texts = ''] = /<body [^>]*data-texts="([^"]*)">/.exec(text) ?? []
    expect(JSON.parse(texts.replaceAll('&quot;', '"').replaceAll('&#39;', "'"))['This is not JSON.']).toBe(
      "Ce n'est pas du JSON.",
    )
  })

  test('tells the errors of its document, and that of who cannot sign in', async () => {
    const missing = await pageIn(told, 'de', '/api/v1/posts/999')
    expect(missing.text).toContain('<h1>Nicht gefunden</h1>')
    const wrong = await pageIn(told, 'de', '/api/v1/posts?sort=nothing')
    expect(wrong.text).toContain('<h1>Fehler 400</h1>')
    const headers = { 'Accept-Language': 'de' }
    const refused = await browserAt(told.at).submit('/api/v1/-browse/sign-in', { token: 'none', back: '/' }, headers)
    expect(refused.headers.get('Content-Language')).toBe('de')
    expect(refused.text).toContain('<h1>Anmelden</h1>')
    expect(refused.text).toContain('<p class="error" id="token-error">Nicht angemeldet.</p>')
  })

  test('translates what the Prisma schema says of a field, where the catalogue has it', async () => {
    const browser = browserAt(told.at)
    const { cookie } = await browser.signIn(users.member3)
    const headers = { Cookie: cookie, 'Accept-Language': 'de' }
    const { text } = await browser.send('/api/v1/posts?-new=', { headers })
    expect(text).toContain('<h1>Neu: Beitrag</h1>')
    expect(text).toContain('<p class="hint" id="create-slug-hint">Der Name in der URL.')
  })

  test('is the same in English as that of an application without languages, which says nothing of them', async () => {
    const [english, plain] = [await pageIn(told, 'ja'), await pageIn(untold, 'de')]
    const [length, others] = [
      (text: string) => text.replaceAll(told.at, '').replaceAll(untold.at, ''),
      [plain.headers.get('Content-Language'), plain.headers.get('Vary')],
    ]
    expect(length(english.text)).toBe(length(plain.text))
    expect(english.headers.get('Content-Language')).toBe('en')
    expect(others).toEqual([null, 'Accept, Accept-Encoding'])
  })
})

test('the scripts look up what the pages have for them', () => {
  const said = ['browse.js', 'forms.js', 'stream.js', 'docs.js'].flatMap((name) =>
    [
      ...readFileSync(path.resolve(import.meta.dirname, '../../../packages/pages/assets', name), 'utf8').matchAll(
        /\bsaid\('([^']*)'/g,
      ),
    ].map(([, text]) => text),
  )
  expect([...new Set(said)].sort()).toEqual(script.map(({ template }) => template).sort())
})

describe('in a language without the letters of English', () => {
  let database: Database
  let running: Running
  let wordsIn: (texts: readonly string[]) => readonly string[]
  beforeAll(async () => {
    database = await openTestDatabase()
    await withoutLetters(database.writer)
    const found = await parts()
    const plain = await startServers(database, found)
    const { languages, wordsLeft } = pseudoFor(plain.api.servers)
    wordsIn = wordsLeft
    await plain.close()
    running = await startServers(database, { ...found, production: true, languages })
  })
  afterAll(async () => {
    await running.close()
    await database.close()
  })

  /** Words that pages show, and that are no names. */
  const wordsLeft = (text: string): readonly string[] => wordsIn(shownTexts(text))

  describe.each([
    ['a guest', null],
    ['a member', users.member3],
    ['an administrator', users.admin],
  ])('%s', (_, userId) => {
    test.each(['/api/v1', '/api/v2'])('reads no English on the pages of %s', { timeout: 120_000 }, async (base) => {
      const browser = browserAt(running.at)
      const cookie = userId === null ? '' : (await browser.signIn(userId, base)).cookie
      const headers = { Cookie: cookie, 'Accept-Language': pseudoTag }
      const faults: unknown[] = []
      for (const path of paths) {
        const { status, text, headers: told } = await browser.send(base + path, { headers })
        const left = wordsLeft(text)
        if (status >= 500 || told.get('Content-Language') !== pseudoTag || left.length > 0)
          faults.push([path, status, told.get('Content-Language'), ...left])
      }
      expect(faults).toEqual([])
    })
  })

  test('nor where a form was refused', async () => {
    const browser = browserAt(running.at)
    const { cookie } = await browser.signIn(users.admin, '/api/v2')
    const headers = { Cookie: cookie, 'Accept-Language': pseudoTag }
    const { text: page } = await browser.send('/api/v2/posts?-new=', { headers })
    const [, seal = ''] = /name="-seal" value="([^"]*)"/.exec(page) ?? []
    const sent = [
      ['/api/v2/posts?-new=', { '-seal': seal, 'string!:/data/attributes/slug': 'Not A Slug' }],
      [
        '/api/v2/operations',
        { '-seal': seal, '-type': 'posts', '-many': 'change', '-row': '1', 'string!:/data/attributes/title': '' },
      ],
      // Of another session, and with a token that is none: it is shown as it was written.
      ['/api/v2/posts?-new=', { '-seal': '№', 'string!:/data/attributes/title': '№' }],
      ['/api/v2/users?-new=', { '-token': '№', 'string!:/data/attributes/password': '№' }],
      ['/api/v2/-browse/sign-in', { token: 'Üble' }],
      ['/api/v2/-browse/sign-in', { token: 'eyJhbGciOiJIUzI1NiJ9' }],
    ] as const
    for (const [path, fields] of sent) {
      const { status, text } = await browser.submit(path, fields as never, headers)
      expect([status >= 400 && status < 500, ...wordsLeft(text)]).toEqual([true])
    }
  })
})

/** All kinds of pages, and what is asked for on them. */
const paths = [
  ...['', '/posts', '/posts?sort=-title', '/posts?filter[title]=0', '/posts?filter[title][contains]=0'],
  '/posts?filter[or][0][author]=3&filter[or][1][publishedAt][isNull]=true&filter[not][0][slug]=0',
  ...['/posts?-field=title', '/posts?-field=publishedAt', '/posts?-field=author', '/posts?-field=id&filter[title]=0'],
  ...['/videos?-field=featured', '/videos?filter[featured]=true', '/users?-field=role'],
  ...[
    '/posts/1',
    '/posts/1?include=author,tags,comments',
    '/posts/1?-show=document',
    '/posts/2',
    '/posts?-made=posts/1',
  ],
  ...['/posts/1/author', '/posts/1/tags', '/posts/1/comments'],
  ...['/posts/1/relationships/tags', '/posts/1/relationships/author', '/comments/1/commentable'],
  ...['/posts?-new=', '/comments?-new=commentable:posts:1', '/videos?-new=', '/tags?-new=', '/users?-new='],
  ...['/posts/1?-delete=true', '/posts/2?-delete=true', '/tags/1?-delete=true', '/users/3?-delete=true'],
  ...['/posts?-many=delete', '/posts?-many=change+title&-row=1&-row=2', '/tags?-many=delete&-row=1'],
  ...['/users', '/users/3', '/users/3/posts', '/users/3/profile', '/profiles/1', '/videos', '/comments?include=author'],
  ...['/1', '/posts/999', '/posts?№=1', '/posts?filter[№]=1', '/posts?include=№', '/posts?page[size]=0'],
  '/videos/-stats?groupBy=featured&withStats[*]=count&withStats[rating]=avg,sum,min,max',
  ...['/posts/-stats?groupBy=publishedAt:month', '/posts/-stats?groupBy=author', '/posts/-stats'],
  ...['/changes', '/docs'],
]

const codes = /<(pre|code|script|kbd)\b[^>]*>.*?<\/\1>/gs
const told = /\b(?:title|aria-label|placeholder|alt|data-label|data-copy|data-refused)="([^"]*)"/g
const id = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** The texts of a page, and those that only some readers are told. */
function shownTexts(text: string): readonly string[] {
  const html = text.replaceAll(codes, '').replaceAll(id, '')
  const attributes = [...html.matchAll(told)].map(([, each = '']) => each)
  return [...attributes, ...html.split(/<[^>]*>/)].map((each) => each.replaceAll(/&#?\w+;/g, ' '))
}
