import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { person, useBetterAuth } from '../support/sign-in/better-auth.ts'
import { password, useNewsroom } from '../support/sign-in/newsroom.ts'
import { executable } from './chromium.ts'

// A real browser signs in by a password, at a real provider of OpenID Connect, by Better Auth, and by a key; reads, writes, and
// signs out.

describe.skipIf(!executable)('a browser', () => {
  const newsroom = useNewsroom('sqlite', { isLocal: true })
  const site = useBetterAuth('sqlite')
  const byKeys = useNewsroom('sqlite', { hasKeysAlone: true })
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
  const goto = (path: string, { at } = newsroom as Site) => page.goto(at + path)
  const who = () => page.locator('body').textContent()

  async function changeTitle(title: string, at = newsroom as Site): Promise<void> {
    await goto('/api/v1/posts/1', at)
    await page.locator('#edit').click()
    const edit = page.locator('#update')
    await edit.getByLabel('title').fill(title)
    await edit.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await at.db.post.findUnique({ where: { id: 1 } })).title).toBe(title)
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

  test('signs in by Better Auth, after a wrong password, writes, and signs out everywhere', async () => {
    await open()
    const { name, email, password: right } = person('ann')
    const up = await context.request.post(`${site.at}/api/auth/sign-up/email`, {
      ...{ data: { name, email, password: right }, headers: { Origin: site.at } },
    })
    const { user } = (await up.json()) as { user: { id: string } }
    await site.db.post.create({ data: { title: 'Of Ann', authorId: user.id } })
    await context.clearCookies()
    await goto('/api/v1/posts/1', site)
    expect(await who()).toContain('You are a guest.')
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Login').fill(email)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    expect(await page.locator('#sign-in-error').textContent()).toBe('The login or the password is wrong.')
    await page.getByLabel('Password').fill(right)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/api/v1/posts/1')
    expect(await who()).toContain('You are ann')
    // Members of an organization may edit.
    await context.request.post(`${site.at}/api/auth/organization/create`, {
      ...{ data: { name: 'Acme', slug: 'acme' }, headers: { Origin: site.at } },
    })
    await changeTitle('By Better Auth', site)
    const cookies = await context.cookies()
    await page.locator('details.me > summary').click()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect.poll(who).toContain('You are a guest.')
    await context.addCookies(cookies)
    await goto('/api/v1', site)
    expect(await who()).toContain('You are a guest.')
    expect(await site.db.session.count()).toBe(0)
    await context.close()
  }, 240_000)

  test('signs in by a key where there is nothing else, writes, and signs out', async () => {
    await open()
    const { id, key } = await byKeys.means.keys.create({ owner: 1, name: 'Of a browser', scopes: ['posts:write'] })
    const paste = async (token: string) => {
      await page.locator('details.sign > summary').click()
      await page.locator('#token').fill(token)
      await page.locator('details.sign').getByRole('button', { name: 'Sign in' }).click()
    }
    await goto('/api/v1/posts/1', byKeys)
    await paste(key)
    await expect.poll(who).toContain('You are Ann')
    await changeTitle('By a key', byKeys)
    await page.locator('details.me > summary').click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect.poll(who).toContain('You are a guest.')
    await paste(key)
    await expect.poll(who).toContain('You are Ann')
    await byKeys.means.keys.revoke(id)
    await goto('/api/v1/posts/1', byKeys)
    await expect.poll(who).not.toContain('You are Ann')
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

/** What listens, with its database. */
type Site = Pick<ReturnType<typeof useBetterAuth>, 'at' | 'db'>
