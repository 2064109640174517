import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { executable, findings } from './chromium.ts'
import { desk, usePages } from './pages.ts'

// Pages on paper, and in colours that a reader's system chooses.

/** A sheet of A4 between its margins. */
const paper = { width: 718, height: 1040 }
const styleOf = (page: Page, selector: string, name: string, pseudo?: string) =>
  page.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(pseudo)})[${JSON.stringify(name)}]`,
  )
const kept = process.env.LOOK
const look = async (page: Page, name: string) =>
  kept && page.screenshot({ path: `${kept}/${name}.png`, fullPage: true })

describe.skipIf(!executable)('pages', () => {
  const browser = usePages()

  test('are printed dark on white, whole, and without what only a screen can do', async () => {
    const page = await browser.at('/api/v2', users.admin, { viewport: paper, colorScheme: 'dark' })
    await page.locator('.me > summary').click()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.emulateMedia({ media: 'print' })
    for (const path of [
      '',
      '/posts?filter[title][contains]=5',
      '/posts/1',
      '/videos/-stats?groupBy=featured',
      '/users/3',
    ]) {
      await page.goto(browser.url(`/api/v2${path}`))
      await look(page, `print${path.replaceAll('/', '-').replace(/[?].*/, '')}`)
      const colours = [await styleOf(page, 'body', 'color'), await styleOf(page, 'body', 'backgroundColor')]
      expect([path, ...colours]).toEqual([path, 'rgb(27, 31, 36)', 'rgb(255, 255, 255)'])
      const cut = await page.evaluate(
        "[...document.querySelectorAll('td, th, th a, dd')].filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).map((each) => each.outerHTML.slice(0, 200))",
      )
      expect([path, cut]).toEqual([path, []])
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, paper.width])
      expect(await page.locator('button:visible, input:visible, select:visible, header:visible').count()).toBe(0)
      expect(await page.locator('h1').isVisible()).toBe(true)
    }
    expect(await page.locator('dt').first().isVisible()).toBe(true)
  })

  test.each([360, 1440])('show the words of the bar whole, %d pixels wide', async (width) => {
    const page = await browser.at('/api/v2/videos', null, { viewport: { width, height: 800 } })
    const cut = await page.evaluate(
      "[...document.querySelectorAll('header a, header summary, header button')].filter((each) => each.clientWidth > 0 && (each.scrollWidth > each.clientWidth || each.clientHeight > 40)).map((each) => each.outerHTML)",
    )
    expect(cut).toEqual([])
  })

  test.each([360, 1100, 1440])('keep the time of a change on one line, %d pixels wide', async (width) => {
    const page = await browser.at('/api/v2', users.admin, { viewport: { width, height: 800 } })
    const lines = await page.evaluate(
      "[...document.querySelectorAll('#recent + ul time')].map((each) => each.getClientRects().length)",
    )
    expect(lines).toEqual(Array(8).fill(1))
    const isBelow = await page.evaluate(
      "[...document.querySelectorAll('#recent + ul small')].map((each) => each.getBoundingClientRect().top > each.previousElementSibling.getBoundingClientRect().top + 8)",
    )
    expect(isBelow).toEqual(Array(8).fill(true))
  })

  test('show in forced colours what is chosen, what is wrong, what is drawn and what has the focus', async () => {
    const page = await browser.at('/api/v2', users.admin, {
      viewport: desk,
      forcedColors: 'active',
      colorScheme: 'dark',
    })
    await page.getByText('How the types are related').click()
    await look(page, 'forced-start')
    const canvas = await styleOf(page, 'body', 'backgroundColor')
    expect(await styleOf(page, 'svg .box', 'fill')).toBe(canvas)
    expect(await styleOf(page, 'svg text', 'fill')).not.toBe(canvas)
    expect(await styleOf(page, 'svg line.road', 'stroke')).not.toBe(canvas)
    await page.goto(browser.url('/api/v2/posts/1/relationships/tags'))
    await page.locator('#attach-tags').pressSequentially('t')
    await page.locator('#attach [role="option"]').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await look(page, 'forced-picker')
    const [chosen, other] = ['.found [aria-selected="true"]', '.found [aria-selected="false"]']
    expect(await styleOf(page, chosen, 'backgroundColor')).not.toBe(await styleOf(page, other, 'backgroundColor'))
    await page.locator('#attach-tags').fill('')
    await page.goto(browser.url('/api/v2/posts?filter[title][contains]=5&sort=title'))
    await look(page, 'forced-table')
    for (const [selector, pseudo] of [
      ['a.new', '::before'],
      ['.chip', '::after'],
      ['th[aria-sort] > a', '::after'],
    ])
      expect([selector, await styleOf(page, selector as string, 'backgroundColor', pseudo)]).not.toEqual([
        selector,
        canvas,
      ])
    // Text of a link keeps the colour of links there, whatever is behind it.
    expect(await styleOf(page, 'a.new', 'backgroundColor')).toBe(canvas)
    for (const selector of ['.chip', 'button', '#view > summary', 'a.new'])
      expect([selector, await styleOf(page, selector, 'borderTopStyle')]).toEqual([selector, 'solid'])
    await page.keyboard.press('Tab')
    expect(await styleOf(page, '.skip', 'outlineStyle')).toBe('solid')
    await page.goto(browser.url('/api/v2/posts/-stats?groupBy=publishedAt:month'))
    await look(page, 'forced-chart')
    expect(await styleOf(page, '.chart .line', 'stroke')).not.toBe(canvas)
    await page.goto(browser.url('/api/v2/posts/1?-tab=permissions'))
    await look(page, 'forced-resource')
    expect(await styleOf(page, '.mark.yes', 'borderTopStyle')).toBe('solid')
  })

  test.each(['light', 'dark'] as const)(
    'have more contrast for who asks for it, when they are %s',
    async (colorScheme) => {
      const page = await browser.at('/api/v2/posts?filter[title][contains]=5', users.admin, {
        viewport: desk,
        colorScheme,
      })
      const softly = await styleOf(page, 'thead th', 'color')
      await page.emulateMedia({ contrast: 'more' })
      expect(await styleOf(page, 'thead th', 'color')).not.toBe(softly)
      const ends = ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']
      expect([await styleOf(page, 'body', 'color'), await styleOf(page, 'body', 'backgroundColor')]).toEqual(
        colorScheme === 'light' ? ends : [...ends].reverse(),
      )
      await look(page, `contrast-${colorScheme}`)
      expect(await findings(page, ['color-contrast-enhanced'])).toEqual([])
    },
  )
})
