import { existsSync } from 'node:fs'
import path from 'node:path'
import axe from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { useApi } from '../support/api.ts'

/** The browser of this machine; null where there is none. */
export const executable: string | null =
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => path.join(folder, name)))
    .find(existsSync) ?? null

if (!executable) console.warn('There is no Chromium in PATH: the tests in a browser are skipped.')

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const never = () => false

/** A browser for the tests of one file, whose pages must not complain, but for messages of somebody else's script. */
export function useBrowser(
  api: Pick<ReturnType<typeof useApi>, 'url' | 'authorization'>,
  isTheirs: (message: ConsoleMessage) => boolean = never,
) {
  let browser: Browser
  const complaints: string[] = []
  const foreign: string[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable as string, args: flags })
  })
  afterAll(() => browser.close())
  afterEach(() => {
    expect({ complaints: complaints.splice(0), foreign: foreign.splice(0) }).toEqual({ complaints: [], foreign: [] })
  })

  const watched = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage()
    page.setDefaultTimeout(100_000)
    page.on('console', (message) => {
      // What a form is refused with is told of in the page; Chromium notes every such answer, too.
      const isRefusal = /the server responded with a status of (?:4\d\d)/.test(message.text())
      if (['error', 'warning'].includes(message.type()) && !isRefusal && !isTheirs(message))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    const { origin } = new URL(api.url('/'))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) foreign.push(request.url())
    })
    return page
  }
  /** A page in a new profile. */
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => watched(await browser.newContext(options))
  /** Signs in by the form of the page, whatever its language. */
  const signIn = async (page: Page, userId: number): Promise<void> => {
    await page.locator('details.sign > summary').click()
    await page.locator('#token').fill((await api.authorization(userId)).slice('Bearer '.length))
    await page.locator('details.sign button').click()
    await page.locator('.me .avatar').waitFor()
  }
  return {
    open,
    signIn,
    /** A page in a new profile, at a path, for a user of the first version or of the one that the path names; null for a guest. */
    async at(path: string, userId: number | null, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await open(options)
      await page.goto(api.url(path.startsWith('/api/v2') ? '/api/v2' : '/api/v1'))
      if (userId !== null) await signIn(page, userId)
      await page.goto(api.url(path))
      return page
    },
  }
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds by its rules, best practices among them; or by some of them, or those with some tags. */
export async function findings(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  // Not by a script tag, which the page's policy forbids.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source)
  const options = only ? { runOnly: only } : {}
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    readonly violations: readonly Violation[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** Goes on by the keyboard until a control has the focus. */
export async function tabTo(page: Page, selector: string, most = 80): Promise<void> {
  const isThere = () => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)
  for (let i = 0; i < most && !(await isThere()); i++) await page.keyboard.press('Tab')
  expect([selector, await isThere()]).toEqual([selector, true])
}
