import { script } from '@prismapi/pages/texts/reading'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { partOf } from '../support/night.ts'
import { pseudoTag } from '../support/pseudo.ts'
import { withoutLetters } from '../support/pseudo-pages.ts'
import { executable } from './chromium.ts'
import { type Caller, callers, openAll, usePages } from './pages.ts'

// In a language that has none of the letters of English, nothing that a reader sees or hears has one, of what scripts make neither.

describe.skipIf(!executable)('in another language', () => {
  const browser = usePages()
  const inPseudo = { locale: pseudoTag }
  const left = async (page: Page) => browser.wordsLeft((await page.evaluate(`(${textsShown})()`)) as readonly string[])
  beforeAll(() => withoutLetters(browser.db))

  test.each(partOf(Object.keys(callers) as Caller[]))('no page has a word of English, for: %s', async (caller) => {
    const faults: unknown[] = []
    await browser.walk(
      caller,
      async (page, name) => {
        await openAll(page)
        const tag = await page.evaluate('document.documentElement.lang')
        const words = await left(page)
        if (tag !== pseudoTag || words.length > 0) faults.push([name, tag, ...words])
      },
      inPseudo,
    )
    expect(faults).toEqual([])
  })

  test('nor has what scripts say', async () => {
    const page = await browser.at('/api/v2/tags', users.admin, inPseudo)
    const said = (await page.evaluate(
      `${JSON.stringify(script.map(({ template }) => template))}.map((text) => said(text, 1, 1))`,
    )) as readonly string[]
    expect(browser.wordsLeft(said)).toEqual([])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copier = page.locator('.copy').first()
    const before = await copier.textContent()
    await page.locator('.to-code').click()
    await copier.click()
    await expect.poll(() => copier.textContent()).not.toBe(before)
    expect(await left(page)).toEqual([])

    const { id } = await browser.db.tag.create({ data: { name: '№ №' } })
    // The page follows its stream once it has been read again.
    const again = page.waitForResponse(
      (response) =>
        response.request().resourceType() === 'fetch' && response.headers()['content-type']?.includes('html') === true,
    )
    await page.goto(browser.url('/api/v2/tags?filter[name][contains]=%E2%84%96&sort=-id'))
    await again
    await browser.db.tag.delete({ where: { id } })
    await page.locator('tr.gone .mark').waitFor()
    expect(await page.locator('.changes').textContent()).not.toBe('')
    expect(await left(page)).toEqual([])
  })

  test('nor what is said where a form has no answer', async () => {
    const page = await browser.at('/api/v2/posts?-new=', users.admin, inPseudo)
    await page.locator('#create-title').fill('№')
    await page.locator('#create-slug').fill('0')
    await page.locator('#create-body').fill('№')
    const alert = page.locator('#create [role="alert"]')
    // A proxy knows nothing of documents.
    for (const answer of [
      "Promise.resolve(new Response('<p>…', { status: 502 }))",
      "Promise.reject(new TypeError('No'))",
    ]) {
      await page.evaluate(
        `globalThis.fetch = () => ${answer}; document.querySelector('#create [role="alert"]').hidden = true`,
      )
      await page.locator('#create .asks button').click()
      await alert.waitFor({ state: 'visible' })
      expect(browser.wordsLeft([(await alert.textContent()) ?? 'nothing'])).toEqual([])
    }
    await page.evaluate("for (const form of document.forms) form.dataset.sent = ''")
  })
})

/** In a page: what its readers see, and what only some of them are told. Ids and instants are in no language. */
const textsShown = `() => {
  const texts = []
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode
    if (!parentElement.closest('pre, code, script, noscript, style, time')) texts.push(data)
  }
  for (const each of document.querySelectorAll('*')) {
    for (const name of ['title', 'aria-label', 'placeholder', 'alt', 'data-label', 'aria-description'])
      if (each.tagName !== 'TIME' && each.hasAttribute(name)) texts.push(each.getAttribute(name))
    if (each.matches('button, [type="submit"]') && each.value && !each.name) texts.push(each.value)
  }
  return texts.map((text) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ''))
}`
