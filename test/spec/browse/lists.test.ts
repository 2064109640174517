import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { useApi, users } from '../../support/api.ts'
import { browserAccept, browserOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What people see of a list who have asked for nothing, and what a list does not misunderstand.

const api = useApi()
const browser = browserOf(api)

async function as(userId: number, base = '/api/v1') {
  const { cookie } = await browser.signIn(userId, base)
  return (path: string) => browser.send(path, { headers: { Cookie: cookie } })
}
const headsIn = (text: string) =>
  [...text.matchAll(/<th scope="col"[^>]*>(?:<input[^>]*> )?(?:<a [^>]*>)?([^<]+)/g)].map(([, title]) => title)
const chipsIn = (text: string) => [...text.matchAll(/<a class="chip"[^>]*>([^<]*)</g)].map(([, words]) => words)

describe('the columns of a table', () => {
  test('are six at most, without long text: what it is called, whose it is, when it changed', async () => {
    const { text } = await (await as(users.admin))('/posts')
    const heads = headsIn(text)
    expect(heads.length).toBeLessThanOrEqual(6)
    expect(heads[0]).toBe('Title')
    expect(heads).toEqual(expect.arrayContaining(['Author', 'Updated at', 'Published at']))
    expect(heads).not.toContain('Content')
  })

  test('are those that were asked for, and the form ticks what is shown', async () => {
    const send = await as(users.admin)
    const all = 'title,slug,content,synopsis,publishedAt,createdAt,updatedAt,author,tags,comments'
    expect(headsIn((await send(`/posts?fields[posts]=${all}`)).text)).toHaveLength(10)
    const { text } = await send('/posts')
    const ticked = [...text.matchAll(/name="-fields\.posts" value="(\w+)" checked/g)].map(([, name]) => name)
    expect(ticked).toContain('author')
    expect(ticked).not.toContain('content')
    const sent = (names: readonly string[]) => {
      const [, of = ''] = /name="-of" value="(posts [^"]*)"/.exec(text) ?? []
      return new URLSearchParams([
        ['-form', '1'],
        ['-of', of],
        ...names.map((name): [string, string] => ['-fields.posts', name]),
      ])
    }
    const wayOf = async (names: readonly string[]) =>
      decodeURIComponent((await send(`/posts?${sent(names)}`)).headers.get('Location') ?? '')
    expect(await wayOf(ticked as string[])).toBe('/api/v1/posts')
    expect(await wayOf(['title', 'content'])).toBe('/api/v1/posts?fields[posts]=title,content')
  })
})

describe('a filter by a relation', () => {
  const sent = (value: string, more = '') =>
    `/posts?-form=1&filter[title][contains]=o${more}&-field=author&-kind=relation&-operator=&-value=${encodeURIComponent(value)}`

  test('takes the name of what it leads to, without a script', async () => {
    const send = await as(users.admin)
    const wayOf = async (value: string) => decodeURIComponent((await send(sent(value))).headers.get('Location') ?? '')
    expect(await wayOf('Member 3')).toBe(`/api/v1/posts?filter[title][contains]=o&filter[author]=${users.member3}`)
    expect(await wayOf(String(users.member4))).toMatch(new RegExp(`filter\\[author\\]=${users.member4}$`))
    expect(await wayOf('Member 3, Member 4')).toMatch(
      new RegExp(`filter\\[author\\]=${users.member3},${users.member4}$`),
    )
  })

  test('leads back to the form, with what was typed, where nothing is called so', async () => {
    const send = await as(users.admin)
    const { status, headers } = await send(sent('Nobody Here'))
    expect(status).toBe(303)
    const { status: shown, text } = await send(headers.get('Location') as string)
    expect(shown).toBe(200)
    expect(text).toContain('Nothing is called “Nobody Here”.')
    expect(text).toContain('value="Nobody Here"')
    expect(chipsIn(text)).toEqual(['Title contains o'])
  })

  test('is a sentence in each spelling', async () => {
    const { text } = await (await as(users.admin))(
      '/posts?filter[author][name]=Ann&filter[author.name][contains]=nn&filter[author][name][not]=Bob',
    )
    expect(chipsIn(text)).toEqual(['Author › Name is Ann', 'Author › Name contains nn', 'Author › Name is not Bob'])
  })
})

describe('a change of many rows', () => {
  const change = async (fields: Readonly<Record<string, string>>) => {
    const { cookie } = await browser.signIn(users.admin, '/api/v2')
    const ids = [await addPost(api.db, { synopsis: 'kept' }), await addPost(api.db, { synopsis: 'kept' })].map(
      ({ id }) => String(id),
    )
    const search = new URLSearchParams([
      ['-many', 'change synopsis'],
      ...ids.map((id): [string, string] => ['-row', id]),
    ])
    const { text } = await browser.send(`/api/v2/posts?${search}`, { headers: { Cookie: cookie } })
    const form = text.slice(text.indexOf('<form class="many-asked"'))
    const body = new URLSearchParams(
      [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
        ([, name, value]): [string, string] => [
          name as string,
          (value as string).replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
        ],
      ),
    )
    for (const id of ids) body.append('-row', id)
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
    const answer = await browser.send('/api/v2/operations', { method: 'POST', body, headers })
    const rows = await api.db.post.findMany({ where: { id: { in: ids.map(Number) } } })
    return { status: answer.status, text: answer.text, stored: rows.map(({ synopsis }) => synopsis), form }
  }
  const synopsis = 'string?:/data/attributes/synopsis'

  test('empties nothing because nothing was written', async () => {
    const { status, text, stored } = await change({ [synopsis]: '' })
    expect([status, stored]).toEqual([400, ['kept', 'kept']])
    expect(text).toContain('Write a value, or tick that it is left empty.')
  })

  test('empties a field for who says so', async () => {
    const { status, stored, form } = await change({ [synopsis]: '', '-empty': '1' })
    expect(form).toContain('name="-empty"')
    expect([status, stored]).toEqual([303, [null, null]])
  })
})

describe('a reader whom the application has signed in', () => {
  class Known extends V1 {
    override readonly browsable = true
  }
  const servers = useServers(async () => ({
    ...(await exampleWith(Known)),
    authenticate: (() => ({ id: 1, name: 'Ann', role: 'ADMIN' })) as never,
  }))

  test('is called by their name, and not asked to sign in', async () => {
    const response = await fetch(`${servers.at}/api/v1/posts`, { headers: { Accept: browserAccept } })
    const text = await response.text()
    expect([response.status, text.includes('You are Ann (ADMIN).')]).toEqual([200, true])
    expect(text).not.toMatch(/Sign in|Sign out/)
  })
})

describe('the search over everything', () => {
  test('finds resources by their labels, as far as their reader may list them, and types by their names', async () => {
    const post = await addPost(api.db, { title: 'Wanderlust among gulls' })
    const found = async (userId: number, text: string) =>
      (await (await as(userId))(`/api/v1/-browse/search?q=${encodeURIComponent(text)}`)).text
    expect(await found(users.admin, 'wanderlust')).toContain(
      `<a href="/api/v1/posts/${post.id}">Wanderlust among gulls</a>`,
    )
    expect(await found(users.admin, 'comment')).toMatch(/<h2>Types<\/h2>.*\/api\/v1\/comments/)
    expect(await found(users.admin, 'Member 4')).toContain('>Member 4</a>')
    expect(await found(users.member3, 'Member 4')).not.toContain('>Member 4</a>')
    expect(await found(users.admin, 'no such thing')).toContain('Nothing has “no such thing” in its name.')
  })
})
