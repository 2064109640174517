import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { partOf } from '../support/night.ts'
import { executable, findings } from './chromium.ts'
import { type Caller, callers, desk, openAll, phone, usePages } from './pages.ts'

// Every kind of page, as everybody sees it: on a phone and on a desk, light and dark, and by the keyboard.

describe.skipIf(!executable)('every page', () => {
  const { walk } = usePages()

  describe.each(partOf(Object.keys(callers) as Caller[]))('for: %s', (caller) => {
    test('has nothing that axe finds, fits, and is gone through by the keyboard', async () => {
      const faults: unknown[] = []
      await walk(caller, async (page, name) => {
        const fault = (how: string, found: readonly string[]) => found.length > 0 && faults.push([name, how, ...found])
        await openAll(page)
        fault('by the keyboard', await faultsOfFocus(page))
        for (const [how, viewport, colorScheme] of looks) {
          await page.setViewportSize(viewport)
          await page.emulateMedia({ colorScheme })
          // What is there, and what it is called, is the same whatever it looks like.
          fault(
            how,
            await findings(page, how === first ? undefined : ['color-contrast', 'scrollable-region-focusable']),
          )
          const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
          fault(how, width > viewport.width ? [`${width} pixels wide`] : [])
        }
        await page.setViewportSize(desk)
      })
      expect(faults).toEqual([])
    })
  })
})

const first = 'light, on a desk'
const looks = [
  [first, desk, 'light'],
  ['light, on a phone', phone, 'light'],
  ['dark, on a phone', phone, 'dark'],
  ['dark, on a desk', desk, 'dark'],
] as const

/** Everything is reached in the order in which it is seen, and shows that. */
async function faultsOfFocus(page: Page): Promise<readonly string[]> {
  await page.evaluate(`document.activeElement?.blur(); (${listenToFocus})()`)
  const count = Number(await page.evaluate('stops.length'))
  for (let i = 0; i < count; i++) await page.keyboard.press('Tab')
  // A control of an instant has stops of its own.
  for (let i = 0; i < count && (await page.evaluate('seen.size < stops.length')); i++) await page.keyboard.press('Tab')
  return (await page.evaluate(`(${focusFaults})()`)) as readonly string[]
}

/** In a page: what can have the focus, and what has had it, in this order. */
const listenToFocus = `() => {
  const reachable = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]'
  globalThis.stops = [...document.querySelectorAll(reachable)].filter((each) => each.checkVisibility())
  globalThis.seen = new Map()
  addEventListener('focusin', ({ target }) => {
    if (seen.has(target) || !stops.includes(target)) return
    const { outlineStyle, outlineWidth } = getComputedStyle(target)
    const { left, top, right, bottom } = target.getBoundingClientRect()
    const isMarked = outlineStyle !== 'none' && outlineWidth !== '0px'
    const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
    // A sheet is scrolled by itself.
    const scrolled = scrollY + (target.closest('.sheet')?.scrollTop ?? 0)
    seen.set(target, { isMarked, isInView, x: left, y: top + scrolled, height: bottom - top })
  })
}`

/** In a page: what was not reached, or not seen to be; what came in another order than it is seen in. */
const focusFaults = `() => {
  const faults = []
  const said = (each) => each.outerHTML.slice(0, 120)
  for (const each of stops) if (!seen.has(each)) faults.push('not reached: ' + said(each))
  for (const [target, { isMarked, isInView }] of seen) {
    if (!isMarked) faults.push('no mark: ' + said(target))
    if (!isInView) faults.push('out of view: ' + said(target))
  }
  const places = '.tools, .code, .many-asked, #create, .chips, .pages, header, .sheet'
  for (const place of document.querySelectorAll(places)) {
    // A sheet lies over what comes after it.
    const isOver = (each) => each.closest('.sheet') !== place.closest('.sheet')
    const inside = stops.filter((each) => place.contains(each) && seen.has(each) && !isOver(each))
    for (const [i, target] of inside.entries()) {
      if (i === 0) continue
      const [a, b] = [seen.get(inside[i - 1]), seen.get(target)]
      if (b.y + b.height <= a.y || (Math.abs(a.y - b.y) < 8 && b.x < a.x))
        faults.push('out of order: ' + said(target) + ' after ' + said(inside[i - 1]))
    }
  }
  return faults
}`
