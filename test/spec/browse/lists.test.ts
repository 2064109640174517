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
    expect(text).toContain('name="filter[title][contains]" value="o"')
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

describe('the controls of a list', () => {
  const own = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const { cookie } = await browser.signIn(users.admin, '/api/v2')
    return (target = path, more: Readonly<Record<string, string>> = headers, kept = '') =>
      browser.send(target, { headers: { 'Sec-Fetch-Site': 'same-origin', Cookie: [cookie, kept].join('; '), ...more } })
  }
  const toolsIn = (text: string) => text.slice(text.indexOf('<div class="tools">'), text.indexOf('<table'))
  const keptBy = (answer: { readonly headers: Headers }) => answer.headers.get('Set-Cookie')?.split(';')[0] ?? ''

  test('stand in one row: a search by what rows are called, a filter, the columns and a menu', async () => {
    const { text } = await (await own('/api/v2/posts?filter[title][contains]=5'))()
    const tools = toolsIn(text)
    expect(tools).toMatch(/<input type="search" name="filter\[search\]" value=""/)
    const places = ['class="search"', 'id="filter"', 'id="view"', 'id="more"'].map((each) => tools.indexOf(each))
    expect(places.every((at, i) => at > (places[i - 1] ?? 0))).toBe(true)
    expect(tools).toMatch(/id="more".*Statistics by.*groupBy=author.*Compact rows.*Save this view/s)
    expect(toolsIn((await (await own('/api/v2/posts?-field=author'))()).text)).toContain(
      '<form class="filter panel" id="sentence"',
    )
  })

  test('show numbers of what there are several of', async () => {
    const { text } = await (await own('/api/v2/videos?include=comments&page[size]=3'))()
    const cells = text.matchAll(/<td(?: data-label="Comments")? class="n"><a href="[^"]*\/comments">(\d+)<\/a>/g)
    expect([...cells]).toHaveLength(3)
  })

  test('have no words of the protocol', async () => {
    const { text } = await (await own('/api/v2/posts'))()
    const said = text.slice(text.indexOf('<main'), text.indexOf('</main>')).replace(/<[^>]*>/g, ' ')
    expect(said).not.toMatch(/\b(?:Include|include|ids?|Map|Token|Meta)\b|∅/)
    expect(said).toContain('empty')
  })

  test('keep the columns that were chosen, for each type, in this browser', async () => {
    const send = await own('/api/v2/posts')
    const [, of = ''] = /name="-of" value="(posts [^"]*)"/.exec((await send()).text) ?? []
    const form = (names: readonly string[]) =>
      `/api/v2/posts?${new URLSearchParams([
        ['-form', '1'],
        ['-keep', 'posts'],
        ['-of', of],
        ...names.map((name): [string, string] => ['-fields.posts', name]),
      ])}`
    const chosen = await send(form(['title', 'slug']))
    expect(decodeURIComponent(chosen.headers.get('Location') ?? '')).toBe('/api/v2/posts?fields[posts]=title,slug')
    expect(chosen.headers.get('Set-Cookie')).toMatch(
      /^prismapi-columns=[\w-]+; Path=\/api\/v2; HttpOnly; SameSite=Lax; Max-Age=31536000$/,
    )
    const kept = keptBy(chosen)
    expect(headsIn((await send('/api/v2/posts?sort=title', {}, kept)).text)).toEqual(['Title', 'Slug'])
    expect(headsIn((await send('/api/v2/users', {}, kept)).text)).not.toEqual(['Title', 'Slug'])
    // Nor does another site choose them, and what nobody can have chosen chooses nothing.
    expect((await send(form(['title']), { 'Sec-Fetch-Site': 'cross-site' })).headers.get('Set-Cookie')).toBeNull()
    expect(
      headsIn((await send('/api/v2/posts', {}, 'prismapi-columns=WzEsWyJwb3N0cyJdXQ')).text).length,
    ).toBeGreaterThan(0)
    const reset = await send(`${form(['title', 'slug'])}&-reset=1`, {}, kept)
    expect([reset.headers.get('Location'), reset.headers.get('Set-Cookie')]).toEqual([
      '/api/v2/posts',
      expect.stringContaining('Max-Age=0'),
    ])
  })

  test('save a view by a name, as a tab, and remove it', async () => {
    const send = await own('/api/v2/posts')
    const query = 'filter[title][contains]=5&sort=title'
    const fields = { type: 'posts', name: 'With <5>', query }
    const saved = await browser.submit('/api/v2/-browse/views', fields)
    expect([saved.status, saved.headers.get('Location')]).toEqual([303, `/api/v2/posts?${query}`])
    expect(saved.headers.get('Set-Cookie')).toMatch(/^prismapi-views=[\w-]+; Path=\/api\/v2; HttpOnly; SameSite=Lax/)
    const kept = keptBy(saved)
    const { text } = await send(`/api/v2/posts?${query}`, {}, kept)
    expect(text).toContain(
      `<nav class="tabs" aria-label="Saved views"><a href="/api/v2/posts">All</a><a href="/api/v2/posts?${query.replace('&', '&amp;')}" aria-current="page">With &lt;5&gt;</a></nav>`,
    )
    expect(text).toContain('Remove the view With &lt;5&gt;')
    expect((await send('/api/v2/users', {}, kept)).text).not.toContain('Saved views')
    const removed = await browser.submit(
      '/api/v2/-browse/views',
      { type: 'posts', remove: 'With <5>' },
      { Cookie: kept },
    )
    expect([removed.headers.get('Location'), removed.headers.get('Set-Cookie')]).toEqual([
      '/api/v2/posts',
      expect.stringContaining('Max-Age=0'),
    ])
  })

  test('keep no more views than a cookie holds, and lead nowhere else', async () => {
    const full = await browser.submit('/api/v2/-browse/views', {
      type: 'posts',
      name: 'Much',
      query: `sort=${'x'.repeat(3000)}`,
    })
    expect([full.headers.get('Set-Cookie'), full.headers.get('Location')]).toEqual([
      null,
      expect.stringMatching(/-did=full$/),
    ])
    const { text } = await (await own('/api/v2/posts?-did=full'))()
    expect(text).toContain('There is no room for another view. Remove one first.')
    const fields = { type: 'posts', name: 'A', query: 'sort=title' }
    expect((await browser.submit('/api/v2/-browse/views', fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await browser.submit('/api/v2/-browse/views', { ...fields, type: '//evil' })).status).toBe(404)
  })
})

test('a list is sorted by a search only where something is searched', async () => {
  const send = await as(users.admin, '/api/v2')
  const sorts = async (path: string) => {
    const { text } = await send(path)
    const [, options = ''] = /<select name="-sort"[^>]*>(.*?)<\/select>/s.exec(text) ?? []
    return [...options.matchAll(/<option value="([^"]*)"/g)].map(([, name]) => name)
  }
  expect(await sorts('/api/v2/posts')).not.toContain('-search')
  expect(await sorts('/api/v2/posts')).toContain('title')
  expect(await sorts('/api/v2/posts?filter[search]=post')).toContain('-search')
})

describe('a list as a file', () => {
  const linkIn = (text: string, name: string) =>
    new RegExp(`<a href="([^"]*)" download>Download as ${name}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&')

  test('is in the menu of each list: its filters and columns, and no page of it', async () => {
    const ask = await as(users.admin)
    const query = '?filter[title]=Nothing&sort=title&fields[posts]=title&include=author&page[number]=1&page[size]=5'
    const { text } = await ask(`/posts${query}`)
    const path = '/api/v1/posts?filter[title]=Nothing&sort=title&fields[posts]=title&-as='
    expect([linkIn(text, 'CSV'), linkIn(text, 'NDJSON')]).toEqual([`${path}text/csv`, `${path}application/x-ndjson`])
    const answer = await ask(`/posts${query.slice(0, query.indexOf('&include'))}&-as=text/csv`)
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'id,title\r\n',
    ])
  })

  test('has what its reader sees', async () => {
    const { id } = await api.make.post.create({ publishedAt: null })
    const path = `/posts?filter[id]=${id}&fields[posts]=slug&-as=text/csv`
    const draft = (await (await as(users.admin))(path)).text
    expect(draft.split('\r\n')).toHaveLength(3)
    expect((await browser.send(path)).text).toBe('id,slug\r\n')
  })

  test('that cannot be had is a page, which says why', async () => {
    const { status, text } = await (await as(users.admin))('/posts?page[size]=5&-as=text/csv')
    expect([status, text]).toEqual([400, expect.stringContaining('An export has all rows')])
  })

  test('is a page, where no feature offers it so', async () => {
    const { status, headers } = await (await as(users.admin))('/posts?-as=text/plain')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })
})
