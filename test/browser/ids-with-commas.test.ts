import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { openServer } from '../support/open-server.ts'
import { useServers } from '../support/servers.ts'
import { executable, useBrowser } from './chromium.ts'

const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: [openServer('commas', { Tag: Schema<'Tag'>, Video: Schema<'Video'> })],
}))

describe.skipIf(!executable)('ids with commas', () => {
  const browser = useBrowser({ url: (path) => servers.at + path, authorization: async () => '' })

  test('are sent as they are, beside one that is searched', async () => {
    const videos = ['one,two', 'two\\', 'three,four'].map((id) => ({
      ...{ id, title: `Film ${id}`, url: 'https://videos.example.com/commas' },
    }))
    const [first, second, third] = videos as [(typeof videos)[0], (typeof videos)[0], (typeof videos)[0]]
    await servers.db.video.create({ data: third })
    const tag = await servers.db.tag.create({ data: { name: 'commas', videos: { create: [first, second] } } })
    const page = await browser.open()
    await page.goto(`${servers.at}/api/commas/tags/${tag.id}/relationships/videos`)
    const form = page.locator('#replace')
    await form.locator('summary').click()
    const field = form.getByLabel('videos')
    expect(await field.inputValue()).toBe('one\\,two, two\\\\')
    await field.press('End')
    await field.pressSequentially(', Film three')
    await form.getByRole('option', { name: 'Film three,four' }).click()
    expect(await form.locator('.chip-in').allTextContents()).toEqual(['Film three,four×'])
    expect(await field.inputValue()).toBe('one\\,two, two\\\\')
    const done = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await form.getByRole('button', { name: 'Replace all' }).click()
    expect((await done).status()).toBe(200)
    const held = await servers.db.video.findMany({ where: { tags: { some: { id: tag.id } } }, orderBy: { id: 'asc' } })
    expect(held.map(({ id }) => id)).toEqual(['one,two', 'three,four', 'two\\'])
  })
})
