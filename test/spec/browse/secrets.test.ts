import { Schema } from 'prismapi'
import { expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, formIn, tagOf } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

// What is accepted and never shown is not shown while it is typed, nor in the page that says what is wrong.

class VideoSchema extends Schema<'Video'> {
  override fields() {
    return [this.attribute('rating').writeOnly(), this.attribute('featured').writeOnly()]
  }
}
class PostSchema extends Schema<'Post'> {
  override fields() {
    return [this.attribute('publishedAt').writeOnly()]
  }
}
class UserSchema extends Schema<'User'> {
  override fields() {
    return [this.attribute('role').writeOnly()]
  }
}
const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: [openServer('secrets', { Post: PostSchema, User: UserSchema, Video: VideoSchema })],
}))
/** The form that creates, and its page once it was refused with these values. */
const refused = async (type: string, values: Readonly<Record<string, string>>) => {
  const headers = { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin' }
  const form = await (await fetch(`${servers.at}/api/secrets/${type}?-new=`, { headers })).text()
  const { action, fields } = formIn(form, 'create')
  const controls = Object.entries(values).map(([name, value]) => {
    const control = Object.keys(fields).find((each) => each.endsWith(`/${name}`))
    expect([name, control]).toEqual([name, expect.any(String)])
    return [control as string, value] as const
  })
  const body = new URLSearchParams({ ...fields, ...Object.fromEntries(controls) })
  const response = await fetch(servers.at + action, { method: 'POST', headers, body })
  expect(response.status).toBe(422)
  const again = await response.text()
  return { form, again, fields: formIn(again, 'create').fields }
}

test('a number is typed as a password is', async () => {
  const { form, again } = await refused('videos', { rating: '4.25', title: '' })
  for (const text of [form, again])
    expect(tagOf(text, 'input id="create-rating"')).toContain(
      ' data-secret aria-describedby="create-rating-error create-rating-hint" type="password" autocomplete="new-password">',
    )
  expect(again).not.toContain('4.25')
})

test('what is chosen is chosen again', async () => {
  expect((await refused('videos', { featured: 'true', title: '' })).fields['boolean:/data/attributes/featured']).toBe(
    '',
  )
  const { again, fields } = await refused('users', { role: 'ADMIN', name: '' })
  expect(fields['string:/data/attributes/role']).toBe('')
  expect(again).toContain('<option value="ADMIN">ADMIN</option>')
  const { again: instant } = await refused('posts', { publishedAt: '2031-02-03T04:05', title: '' })
  expect(tagOf(instant, 'input id="create-publishedAt"')).toMatch(/ type="datetime-local" step="1" value="">$/)
  expect(instant).not.toContain('2031')
})
