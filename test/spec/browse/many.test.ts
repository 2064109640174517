import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { browserOf, tagOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'

// Many rows of a table are changed or deleted by one atomic request, and all of them or none. It needs no script.

const api = useApi()
const browser = browserOf(api)
const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')

async function as(userId: number) {
  const { cookie } = await browser.signIn(userId, '/api/v2')
  const headers = { Cookie: cookie }
  return {
    page: async (path: string) => (await browser.send(path, { headers })).text,
    /** Sends the form of a page, with other fields and rows. */
    async send(text: string, { rows, ...fields }: Readonly<Record<string, string>> & { rows?: string } = {}) {
      const form = text.slice(text.indexOf('<form class="many-asked"'))
      const sent = new URLSearchParams(
        [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name, value]): [string, string] => [plain(name as string), plain(value as string)],
        ),
      )
      for (const id of rows?.split(',') ?? pickedIn(form)) sent.append('-row', id)
      for (const [name, value] of Object.entries(fields)) sent.set(name, value)
      return browser.send('/api/v2/operations', {
        method: 'POST',
        body: sent,
        headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
      })
    },
  }
}

const pickedIn = (text: string) =>
  [...text.matchAll(/name="-row" value="([^"]*)" checked/g)].map(([, id]) => id as string)
/** The rows that a page says something was wrong with. */
const namedIn = (text: string) =>
  [...text.matchAll(/<li><a href="\/api\/v2\/posts\/\d+">([^<]*)<\/a>: /g)].map(([, name]) => name)
const asked = (what: string, ids: readonly number[]) =>
  `/api/v2/posts?${new URLSearchParams([['-many', what], ...ids.map((id): [string, string] => ['-row', String(id)])])}`
const three = async (data: object = {}) => [
  (await addPost(api.db, data)).id,
  (await addPost(api.db, data)).id,
  (await addPost(api.db, data)).id,
]
/** Of rows on the first page by titles, however many other tests have added. */
const firstByTitle = 'A post'
const stored = (ids: readonly number[]) =>
  api.db.post.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } })
const publishedAt = 'datetime?:/data/attributes/publishedAt'

describe('the table of a collection', () => {
  test('lets rows be chosen, for fields that many can share', async () => {
    const { page } = await as(users.admin)
    const text = await page('/api/v2/posts?sort=title')
    expect(tagOf(text, 'form class="many"')).toContain('method="get" action="/api/v2/posts"')
    const bar = text.slice(text.indexOf('<form class="many"'), text.indexOf('<div class="tools">'))
    const offered = [...bar.matchAll(/<(?:option|button [^>]*name="-many") value="([^"]*)">([^<]*)/g)]
    expect(offered.map(([, value, title]) => [value, title])).toEqual([
      ['action publish', 'Publish'],
      ['', 'Change'],
      ['change title', 'Title'],
      ['change body', 'Body'],
      ['change synopsis', 'Synopsis'],
      ['change publishedAt', 'Published at'],
      ['change deletedAt', 'Deleted at'],
      ['delete', 'Delete'],
    ])
    const rows = [...text.matchAll(/<input type="checkbox" form="many" name="-row" value="(\d+)" aria-label="[^"]+">/g)]
    expect(rows).toHaveLength(15)
  })

  test.each([
    ['to guests', '/api/v2/posts', null],
    ['of what its reader may not write', '/api/v2/tags', users.member3],
  ])('offers nothing of it %s', async (_, path, userId) => {
    const { cookie } = userId === null ? { cookie: '' } : await browser.signIn(userId, path.slice(0, 7))
    const { text } = await browser.send(path, { headers: { Cookie: cookie } })
    expect(text).toContain('<table class="rows few">')
    expect(text).not.toContain('name="-row"')
    expect(text).not.toContain('name="-many"')
  })

  test('of a server of JSON:API 1.0, too, whose clients have no atomic operations', async () => {
    const ids = await three({ title: firstByTitle })
    const { cookie } = await browser.signIn(users.admin, '/api/v1')
    const headers = { Cookie: cookie }
    expect((await browser.send('/api/v1/posts?sort=title', { headers })).text).toContain(
      `name="-row" value="${ids[0]}"`,
    )
    const path = asked('change synopsis', ids).replace('v2', 'v1')
    const { text } = await browser.send(`${path}&sort=title`, { headers })
    expect(text).toContain('<h1>Synopsis of 3 posts</h1>')
    const write = (value: string) => {
      const seal = (tagOf(text, 'input type="hidden" name="-seal"') ?? '').match(/value="([^"]*)"/)?.[1] ?? ''
      const field = (tagOf(text, 'textarea id="many-synopsis"') ?? '').match(/name="([^"]*)"/)?.[1] as string
      const body = new URLSearchParams({ '-seal': seal, '-many': 'change', '-type': 'posts', [plain(field)]: value })
      for (const id of ids) body.append('-row', String(id))
      return browser.send('/api/v1/operations', {
        method: 'POST',
        body,
        headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
      })
    }
    expect((await write('The same.')).status).toBe(303)
    expect((await stored(ids)).map(({ synopsis }) => synopsis)).toEqual(['The same.', 'The same.', 'The same.'])
    const refused = await write('Too long. '.repeat(1000))
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Nothing was changed')])
    const data = { 'atomic:operations': ids.map((id) => ({ op: 'remove', ref: { type: 'posts', id: String(id) } })) }
    const byClient = await api.as(users.admin).post('/operations', { body: data })
    expect(byClient.status).toBe(404)
  })

  test('of a relation does so, too', async () => {
    const { page } = await as(users.admin)
    const text = await page('/api/v2/users/3/posts')
    expect(text).toContain('action="/api/v2/users/3/posts"')
    expect(text).toContain('form="many" name="-row"')
  })
})

describe('many rows', () => {
  test('get one value, and their reader is back where they were', async () => {
    const ids = await three({ publishedAt: null, title: firstByTitle })
    const { page, send } = await as(users.admin)
    const text = await page(`${asked('change publishedAt', ids)}&sort=title`)
    expect(text).toContain('<h1>Published at of 3 posts</h1>')
    expect(pickedIn(text).map(Number).sort()).toEqual([...ids].sort())
    expect(tagOf(text, 'input id="many-publishedAt"')).toContain(`name="${publishedAt}"`)
    const { status, headers } = await send(text, { [publishedAt]: '2024-06-07T08:09' })
    const back = headers.get('Location') ?? ''
    expect([status, back]).toEqual([303, expect.stringMatching(/^\/api\/v2\/posts\?sort=title&-done=[\w-]+$/)])
    const at = new Date('2024-06-07T08:09:00Z')
    expect((await stored(ids)).map((row) => row.publishedAt)).toEqual([at, at, at])
    expect(await page(back)).toContain('<p class="done" role="status">Changed: 3</p>')
    // Nor does a link say so that somebody else has made, or made for somebody else.
    const other = await as(users.editor)
    for (const said of [await other.page(back), await page('/api/v2/posts?-done=change%3A3')]) {
      expect(said).toContain('<h1>Posts</h1>')
      expect(said).not.toContain('class="done"')
    }
  })

  test('get none where one is refused, and the page says which', async () => {
    const ids = await three()
    const { page, send } = await as(users.admin)
    const text = await page(asked('change title', ids))
    await api.db.post.update({
      where: { id: ids[1] as number },
      data: { updatedAt: new Date(Date.now() + 5000), title: 'Sooner' },
    })
    const before = await stored(ids)
    const answer = await send(text, { 'string:/data/attributes/title': 'Together' })
    expect(answer.status).toBe(412)
    expect(answer.text).toContain('<h1>Nothing was changed</h1>')
    expect(answer.text).toMatch(new RegExp(`<li><a href="/api/v2/posts/${ids[1]}">Sooner</a>: [^<]*version`))
    expect(await stored(ids)).toEqual(before)
  })

  test('are asked again where one is refused, with the rows and the value that were chosen', async () => {
    const ids = await three({ title: firstByTitle })
    const { page, send } = await as(users.admin)
    const text = await page(`${asked('change title', ids)}&sort=title`)
    await api.db.post.update({ where: { id: ids[0] as number }, data: { updatedAt: new Date(Date.now() + 5000) } })
    const title = 'string:/data/attributes/title'
    const refused = await send(text, { rows: ids.slice(0, 2).join(','), [title]: 'x'.repeat(201) })
    expect(refused.status).toBe(412)
    expect(pickedIn(refused.text)).toEqual(ids.slice(0, 2).map(String))
    expect(tagOf(refused.text, 'input id="many-title"')).toContain(`value="${'x'.repeat(201)}"`)
    expect(refused.text).toContain('<a href="/api/v2/posts?sort=title">Cancel</a>')
    const wrong = await send(refused.text, { [title]: 'x'.repeat(201) })
    expect(wrong.status).toBe(422)
    expect(tagOf(wrong.text, 'input id="many-title"')).toContain('aria-invalid="true"')
    expect(wrong.text).toMatch(/<p class="error" id="many-title-error">[^<]+<\/p>/)
    const { status, headers } = await send(wrong.text, { [title]: 'At last' })
    expect([status, headers.get('Location')]).toEqual([303, expect.stringMatching(/\?sort=title&-done=/)])
    expect((await stored(ids)).map((row) => row.title === 'At last')).toEqual([true, true, false])
  })

  test('that others have changed are each named before they are overwritten', async () => {
    const ids = await three()
    const { page, send } = await as(users.admin)
    const text = await page(asked('change title', ids))
    const order = pickedIn(text)
    const shown = (place: number) => Number(order[place])
    for (const place of [0, 2])
      await api.db.post.update({
        where: { id: shown(place) },
        data: { updatedAt: new Date(Date.now() + 5000), title: `Theirs ${place}` },
      })
    const before = await stored(ids)
    const mine = { 'string:/data/attributes/title': 'Mine' }
    const first = await send(text, mine)
    expect([first.status, namedIn(first.text)]).toEqual([412, ['Theirs 0']])
    const second = await send(first.text, mine)
    expect([second.status, namedIn(second.text)]).toEqual([412, ['Theirs 2']])
    expect(await stored(ids)).toEqual(before)
    expect((await send(second.text, mine)).status).toBe(303)
    expect((await stored(ids)).map((row) => row.title)).toEqual(['Mine', 'Mine', 'Mine'])
  })

  test('stay chosen where their deletion is refused', async () => {
    const ids = await three()
    await api.db.comment.create({ data: { content: 'Stays.', authorId: users.member3, postId: ids[1] as number } })
    const { page, send } = await as(users.editor)
    const { text } = await send(await page(asked('delete', ids)))
    expect(text).toContain('<h1>Nothing was changed</h1>')
    expect(pickedIn(text).map(Number).sort()).toEqual([...ids].sort())
    expect((await send(text, { rows: `${ids[0]},${ids[2]}` })).status).toBe(303)
    expect((await stored(ids)).map(({ deletedAt }) => deletedAt !== null)).toEqual([true, false, true])
  })

  test('get no value that the rules forbid', async () => {
    const ids = await three()
    const { page, send } = await as(users.admin)
    const before = await stored(ids)
    const { status, text } = await send(await page(asked('change title', ids)), { 'string:/data/attributes/title': '' })
    expect(status).toBe(422)
    expect(
      text.match(/<li><a href="\/api\/v2\/posts\/\d+">[^<]+<\/a>: The title field is required\.<\/li>/g)?.length,
    ).toBe(1)
    expect(await stored(ids)).toEqual(before)
  })

  test('are deleted together; the page says how many, and what becomes of them', async () => {
    const ids = await three()
    const { page, send } = await as(users.admin)
    const text = await page(asked('delete', ids))
    expect(text).toContain('<h1>Delete 3 posts?</h1>')
    expect(text).toContain('They are put into the bin.')
    const { status, headers } = await send(text, { rows: ids.slice(0, 2).join(',') })
    expect([status, headers.get('Location')]).toEqual([303, expect.stringMatching(/^\/api\/v2\/posts\?-done=[\w-]+$/)])
    expect((await stored(ids)).map(({ deletedAt }) => deletedAt !== null)).toEqual([true, true, false])
  })

  test('take others along, which are counted once for all', async () => {
    const made = await Promise.all(
      ['a', 'b'].map((name) =>
        api.db.user.create({
          data: { name, email: `many-${name}@example.com`, passwordHash: '-', profile: { create: {} } },
        }),
      ),
    )
    const { page } = await as(users.admin)
    const text = await page(`/api/v2/users?filter[id]=${made.map(({ id }) => id).join(',')}&-many=delete`)
    expect(text).toContain('<h1>Delete 2 users?</h1>')
    expect(text).toContain('<p>Deleted with them:</p><ul><li>2 profiles</li></ul>')
  })

  test('that their reader may not change are named, and left out', async () => {
    const own = await addPost(api.db, { authorId: users.member3 })
    const other = await addPost(api.db, { authorId: users.member4 })
    const { page } = await as(users.member3)
    const text = await page(asked('delete', [own.id, other.id]))
    expect(pickedIn(text)).toEqual([String(own.id)])
    expect(text).toContain('<h1>Delete 1 post?</h1>')
    expect(text).toMatch(
      new RegExp(`/posts/${other.id}">[^<]+</a> <small>${other.id}</small> <span class="mark no">you may not`),
    )
  })

  test('that are not on the page are left out; where none of them is, the page says so', async () => {
    const [near, far] = await three()
    const { page } = await as(users.admin)
    const chosen = (ids: readonly unknown[]) =>
      page(`/api/v2/posts?filter[id]=${near}&-many=delete&${ids.map((id) => `-row=${id}`).join('&')}`)
    const gone = '<p role="status">The chosen rows are not on this page.</p>'
    const both = await chosen([far, near, 'nothing'])
    expect(both).toContain('<h1>Delete 1 post?</h1>')
    expect(pickedIn(both)).toEqual([String(near)])
    expect(both).not.toContain(gone)
    const none = await chosen([far, 'nothing', ''])
    expect(none).toContain('<h1>Posts</h1>')
    expect(none).toContain(gone)
    expect(none).toContain(`name="-row" value="${near}"`)
    expect(none).not.toContain('class="many-asked"')
  })

  test('are read at once, however many there are', async () => {
    const { page } = await as(users.admin)
    const ids = [...(await three()), ...(await three()), ...(await three())]
    const lookUps = async (some: readonly number[]) => {
      const queries = await api.queriesOf(() => page(asked('change title', some)))
      return queries.filter((sql) => sql.includes('"Post"')).length
    }
    const ofAll = await lookUps(ids)
    expect(ofAll).toBeGreaterThan(0)
    expect(ofAll).toBe(await lookUps(ids.slice(0, 2)))
  })

  test('have to be chosen', async () => {
    const { page, send } = await as(users.admin)
    const text = await page(asked('delete', await three()))
    const sent = text.replaceAll('name="-row"', '')
    expect((await send(sent)).text).toContain('Choose at least one row.')
  })

  test.each([
    ['without the seal', { '-seal': '' }, 403],
    ['with another seal', { '-seal': 'x'.repeat(43) }, 403],
    ['with what no page has', { '-many': 'delete', '-type': 'nothing' }, 400],
  ])('%s stay as they are', async (_, fields, status) => {
    const ids = await three()
    const { page, send } = await as(users.admin)
    const answer = await send(await page(asked('delete', ids)), fields)
    expect(answer.status).toBe(status)
    expect((await stored(ids)).map(({ deletedAt }) => deletedAt)).toEqual([null, null, null])
  })

  test.each([
    ['more rows than one request takes', { '-many': 'delete' }, 101, 400, 'Choose at most 100 rows.'],
    ['more rows than can be counted', { '-many': 'delete' }, 100_000, 400, 'The form has too many controls.'],
    [
      'a value that is too long for all of them',
      { '-many': 'change', 'string:/data/attributes/title': 'x'.repeat(20_000) },
      100,
      413,
      'The request body must not be larger than 1048576 bytes.',
    ],
  ])('are refused at once: %s', async (_, fields, count, status, detail) => {
    const { page, send } = await as(users.admin)
    const text = await page(asked('delete', await three()))
    const answer = await send(text, { ...fields, rows: Array.from({ length: count }, () => '1').join() })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(detail)
  })

  test.each(['delete', 'change'])('are refused to who may do nothing with them: %s', async (what) => {
    const fields = { '-many': what, '-type': 'users', '-row': '4', 'string:/data/attributes/name': 'x' }
    const { status, text } = await browser.submit('/api/v2/operations', fields)
    expect([status, text.includes('<h1>Nothing was changed</h1>'), text.includes('<form class="many-asked"')]).toEqual([
      ...[403, true, false],
    ])
  })

  test('lead back to no other origin', async () => {
    const ids = await three()
    const { page, send } = await as(users.admin)
    const { headers } = await send(await page(asked('delete', ids)), { '-back': '//evil.example/api/v2' })
    expect(headers.get('Location')).toMatch(/^\/api\/v2\?-done=[\w-]+$/)
  })
})

describe('an action of the type', () => {
  test('is done with all chosen rows or none, whatever the menu of fields sends beside it', async () => {
    const ids = await three({ publishedAt: null })
    const { page, send } = await as(users.admin)
    const question = await page(asked('action publish', ids).replace('-many=', '-many=&-many='))
    expect(question).toContain('<h1>Publish: 3 posts?</h1>')
    const done = await send(question)
    expect([done.status, done.headers.get('Location')]).toEqual([
      303,
      expect.stringMatching(/^\/api\/v2\/posts\?-done=/),
    ])
    expect(await page(done.headers.get('Location') as string)).toContain('Done: Publish: 3')
    expect((await stored(ids)).map((row) => row.publishedAt !== null)).toEqual([true, true, true])

    const more = await three({ publishedAt: null })
    const asking = await page(asked('action publish', more))
    const where = { id: more[1] as number }
    const { updatedAt } = await api.db.post.findUniqueOrThrow({ where })
    await api.db.post.update({ where, data: { publishedAt: new Date(0), updatedAt } })
    // Of what cannot be done any more, the question says so.
    const left = await page(asked('action publish', more))
    expect(left).toContain('<h1>Publish: 2 posts?</h1>')
    expect(left.match(/<span class="mark no">/g)).toHaveLength(1)
    const refused = await send(asking)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('The post is published already.')
    expect(refused.text).toContain('<h1>Nothing was changed</h1>')
    expect((await stored(more)).map((row) => row.publishedAt)).toEqual([null, new Date(0), null])
  })

  test('is not done by who may not, nor where there is none of that name', async () => {
    const ids = await three({ publishedAt: null })
    const question = await (await as(users.admin)).page(asked('action publish', ids))
    const { send } = await as(users.member4)
    expect((await send(question, { '-seal': '' })).status).toBe(404)
    expect((await send(question, { '-seal': '', '-many': 'action nothing' })).status).toBe(400)
    expect((await stored(ids)).map((row) => row.publishedAt)).toEqual([null, null, null])
  })
})
