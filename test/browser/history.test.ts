import { Policy, type Rules, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import V2 from '../../src/app/v2/server.ts'
import { authSecret, users } from '../support/api.ts'
import { exampleWith, useServers } from '../support/servers.ts'
import { executable, findings, useBrowser } from './chromium.ts'

// A resource is edited, and its page says so.

class Audited extends V2 {
  override readonly browsable = true
  override readonly live = { trail: true }
}
class ChangePolicy extends Policy {
  override abilities({ can }: Rules, user: User | null) {
    if (user) can(this.reads)
  }
}
const servers = useServers(async () => {
  const parts = await exampleWith(Audited)
  return { ...parts, policies: new Map([...(parts.policies as never), ['Change', ChangePolicy]]) as never }
})
const url = (path: string) => servers.at + path
const authorization = async (id: number) => `Bearer ${await signToken(id, authSecret)}`

describe.skipIf(!executable)('the history of a resource', () => {
  const { at } = useBrowser({ url, authorization })

  test.each([
    ['wide', { width: 1440, height: 900 }],
    ['on a phone', { width: 360, height: 740 }],
  ])('has what was saved just now, %s', async (_, viewport) => {
    const name = `before ${viewport.width}`
    const { id } = await servers.db.tag.create({ data: { name } })
    const page = await at(`/api/v2/tags/${id}`, users.admin, { viewport })
    await page.locator('#edit').click()
    await page.getByRole('textbox', { name: 'name' }).fill(`after ${viewport.width}`)
    await page.locator('#update').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'History' }).click()
    const entry = page.locator('.history tbody tr', { hasText: `${name} → after ${viewport.width}` })
    await entry.waitFor()
    expect(await entry.getByRole('link', { name: 'Admin' }).isVisible()).toBe(true)
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
    await page.getByRole('link', { name: 'All changes' }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(2)
  })
})
