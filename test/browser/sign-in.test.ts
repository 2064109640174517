import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { password, useNewsroom } from '../support/sign-in/newsroom.ts'
import { executable } from './chromium.ts'

// A real browser signs in by a password, and at a real provider of OpenID Connect; reads, writes, and signs out.

describe.skipIf(!executable)('a browser', () => {
  const newsroom = useNewsroom('sqlite', { isLocal: true })
  let browser: Browser
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: executable as string, args })
  })
  afterAll(() => browser.close())
  const open = async () => {
    context = await browser.newContext()
    page = await context.newPage()
    page.setDefaultTimeout(60_000)
  }
  const goto = (path: string) => page.goto(newsroom.at + path)
  const who = () => page.locator('body').textContent()
  const titleOf = async (id: number) => (await newsroom.db.post.findUnique({ where: { id } })).title

  async function changeTitle(title: string): Promise<void> {
    await goto('/api/v1/posts/1')
    await page.locator('#edit').click()
    const edit = page.locator('#update')
    await edit.getByLabel('title').fill(title)
    await edit.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => titleOf(1)).toBe(title)
    await page.locator('h1', { hasText: title }).waitFor()
    await page.waitForLoadState()
  }

  test('signs in by a password, after a wrong one, writes, and signs out', async () => {
    await open()
    await goto('/api/v1/posts/1')
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Login').fill('ann@example.com')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    expect(await page.locator('#sign-in-error').textContent()).toBe('The login or the password is wrong.')
    expect(await page.getByLabel('Login').inputValue()).toBe('ann@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/api/v1/posts/1')
    expect(await who()).toContain('You are Ann')
    await changeTitle('By a browser')
    const cookies = await context.cookies()
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'session', httpOnly: true, sameSite: 'Lax' },
    ])
    await page.locator('details.me > summary').click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect.poll(who).toContain('You are a guest.')
    await context.addCookies(cookies)
    await goto('/api/v1')
    expect(await who()).toContain('You are a guest.')
    await context.close()
  }, 240_000)

  test('signs in at a provider, writes, and signs out there as well', async () => {
    await open()
    await goto('/api/v1/posts/1')
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Sign in with the provider' }).click()
    await page.locator('input[name="login"]').fill('ann')
    await page.locator('input[name="password"]').fill('anything')
    await page.locator('button[type="submit"]').click()
    await page.locator('button[type="submit"]', { hasText: 'Continue' }).click()
    await page.waitForURL('**/api/v1/posts/1')
    expect(await who()).toContain('You are Ann')
    await changeTitle('By way of the provider')
    await goto('/api/v1/-browse/sign-in')
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL(`${newsroom.identity.issuer}/session/end**`)
    expect(await newsroom.db.session.count()).toBe(0)
    await context.close()
  }, 240_000)

  test('of somebody without an account is told so', async () => {
    await open()
    await goto('/api/v1/-browse/sign-in')
    await page.getByRole('link', { name: 'Sign in with the provider' }).click()
    await page.locator('input[name="login"]').fill('stranger')
    await page.locator('input[name="password"]').fill('anything')
    await page.locator('button[type="submit"]').click()
    await page.locator('button[type="submit"]', { hasText: 'Continue' }).click()
    await expect.poll(() => page.locator('#sign-in-error').textContent()).toBe('You have no account here.')
    await context.close()
  }, 240_000)
})
