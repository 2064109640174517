import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { executable, useBrowser } from './chromium.ts'

const api = useApi({ baseUrl: 'http://127.0.0.1' })

describe.skipIf(!executable)('the reference', () => {
  const browser = useBrowser(api)

  test('shows what the caller may do, and sends it with a token', async () => {
    const page = await browser.open({ viewport: { width: 1400, height: 900 } })
    await page.goto(api.url('/api/v1'))
    await page.getByRole('link', { name: 'Reference' }).click()
    await page.getByText('A publishing site').first().waitFor()
    await page.getByText('List posts').first().waitFor()
    expect(await page.getByText('Create a post').count()).toBe(0)
    await page.goto(api.url('/api/v1'))
    await browser.signIn(page, users.member3)
    await page.goto(api.url('/api/v1/docs'))
    await page.getByText('Create a post').first().waitFor()
    await page.getByText('Authentication').first().click()
    const authorization = await api.authorization(users.member3)
    await page.locator('input.api-key-input').first().fill(authorization.slice('Bearer '.length))
    await page.getByRole('button', { name: 'SET' }).first().click()
    await page.getByText('List tags').first().click()
    const answered = page.waitForResponse((response) => response.url() === api.url('/tags'))
    await page.locator('.btn-execute').first().click()
    const response = await answered
    expect(response.status()).toBe(200)
    expect((await response.request().allHeaders()).authorization).toBe(authorization)
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(authorization.slice(7))
  })
})
