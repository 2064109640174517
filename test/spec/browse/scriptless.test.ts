import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { browserOf, formIn, tagOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'

// Every form of a page is sent without a script, too: what it says becomes the document of a client.

const api = useApi()
const browser = browserOf(api)
const as = async (userId: number) => {
  const { cookie } = await browser.signIn(userId)
  const page = async (path: string) => (await browser.send(path, { headers: { Cookie: cookie } })).text
  /** Sends a form of a page as a browser does, with some of its controls changed; null takes one out. */
  const send = async (path: string, id: string, changes: Readonly<Record<string, string | null>> = {}) => {
    const { action, fields } = formIn(await page(id === 'update' ? `${path}?-edit=true` : path), id)
    for (const [name, value] of Object.entries(changes)) {
      expect([name, Object.keys(fields)]).toEqual([name, expect.arrayContaining([name])])
      if (value === null) delete fields[name]
      else fields[name] = value
    }
    const { status, headers, text } = await browser.submit(action, fields, { Cookie: cookie })
    return { status, to: headers.get('Location'), text }
  }
  return { page, send, cookie }
}
const [title, content, synopsis, slug] = ['title', 'content', 'synopsis', 'slug'].map(
  (name) => `string${name === 'synopsis' ? '?' : ''}:/data/attributes/${name}`,
) as [string, string, string, string]
const featured = 'boolean:/data/attributes/featured'
const publishedAt = 'datetime?:/data/attributes/publishedAt'
const storedPost = (id: number) => api.db.post.findUniqueOrThrow({ where: { id } })
const errorsIn = (text: string) => [...text.matchAll(/<p class="error" id="([^"]*)">([^<]*)/g)].map(([, ...all]) => all)

describe('the form that updates', () => {
  test('sends what its reader has touched, and leads back to the resource', async () => {
    const values = {
      content: 'One line.\r\nAnother.',
      synopsis: 'Short.',
      publishedAt: new Date('2024-01-02T03:04:00Z'),
    }
    const { id, updatedAt: _, ...before } = await addPost(api.db, values)
    const { send } = await as(users.member3)
    const { status, to } = await send(`/posts/${id}`, 'update', {
      [title]: 'By a form',
      [synopsis]: '',
      // As browsers have it.
      [publishedAt]: '2024-01-02T03:04',
    })
    expect([status, to]).toEqual([303, `/api/v1/posts/${id}?-did=save`])
    expect(await storedPost(id)).toEqual({
      ...{ ...before, id, title: 'By a form', synopsis: null },
      updatedAt: expect.any(Date),
    })
  })

  test('leaves what others change meanwhile, where the type has no versions', async () => {
    const { id } = await api.db.profile.findFirstOrThrow({ where: { userId: users.member3 } })
    await api.db.profile.update({ where: { id }, data: { bio: 'Before.', website: 'https://before.example' } })
    const { page, cookie } = await as(users.member3)
    const { action, fields } = formIn(await page(`/profiles/${id}?-edit=true`), 'update')
    await api.db.profile.update({ where: { id }, data: { website: 'https://after.example' } })
    const sent = { ...fields, 'string?:/data/attributes/bio': 'After.' }
    expect((await browser.submit(action, sent, { Cookie: cookie })).status).toBe(303)
    expect(await api.db.profile.findUniqueOrThrow({ where: { id } })).toMatchObject({
      ...{ bio: 'After.', website: 'https://after.example' },
    })
  })

  test('ticks, and takes a tick away', async () => {
    const { id } = await api.db.video.create({
      data: { title: 'Ticked', url: 'https://videos.example.com/by-form', ownerId: users.member3 },
    })
    const { page, cookie, send } = await as(users.member3)
    const { action, fields } = formIn(await page(`/videos/${id}?-edit=true`), 'update')
    expect(Object.hasOwn(fields, featured)).toBe(false)
    await browser.submit(action, { ...fields, [featured]: 'true' }, { Cookie: cookie })
    const isFeatured = async () => (await api.db.video.findUniqueOrThrow({ where: { id } })).featured
    expect(await isFeatured()).toBe(true)
    await send(`/videos/${id}`, 'update')
    expect(await isFeatured()).toBe(true)
    await send(`/videos/${id}`, 'update', { [featured]: null })
    expect(await isFeatured()).toBe(false)
  })

  test.each(['1e400', ' '])('refuses %j in place of a number, and empties nothing', async (written) => {
    const { id } = await api.db.video.create({
      data: { title: 'Rated', url: 'https://videos.example.com/rated', ownerId: users.member3, rating: 4.5 },
    })
    const { send } = await as(users.member3)
    const { status, text } = await send(`/videos/${id}`, 'update', { 'number?:/data/attributes/rating': written })
    expect([status, errorsIn(text)]).toEqual([422, [['update-rating-error', expect.stringMatching(/rating/)]]])
    expect((await api.db.video.findUniqueOrThrow({ where: { id } })).rating).toBe(4.5)
  })

  test('is shown again where it is refused, with what was written and what is wrong', async () => {
    const { id } = await addPost(api.db, { title: 'As it was' })
    const { send, cookie } = await as(users.member3)
    const { status, text } = await send(`/posts/${id}`, 'update', { [slug]: 'Not A Slug', [content]: 'Kept.' })
    expect(status).toBe(422)
    expect(text).toContain('<h1>Edit As it was</h1>')
    expect(text).toContain('<div class="write" id="update">')
    expect(errorsIn(text)).toEqual([['update-slug-error', expect.stringMatching(/slug/)]])
    expect(tagOf(text, 'input id="update-slug"')).toContain('value="Not A Slug"')
    expect(text).toContain('>\nKept.</textarea>')
    // Sent again, it still tells what was touched.
    const { action, fields } = formIn(text, 'update')
    expect([action, fields[slug], fields[title]]).toEqual([`/api/v1/posts/${id}`, 'Not A Slug', 'As it was'])
    const again = await browser.submit(action, { ...fields, [slug]: `mended-${id}` }, { Cookie: cookie })
    expect(again.status).toBe(303)
    expect(await storedPost(id)).toMatchObject({ slug: `mended-${id}`, content: 'Kept.', title: 'As it was' })
  })

  test('compares what somebody else has saved meanwhile, and saves over it where its reader wants it', async () => {
    const { id } = await addPost(api.db, { title: 'Before', synopsis: 'Before.' })
    const { page, cookie } = await as(users.member3)
    const { action, fields } = formIn(await page(`/posts/${id}?-edit=true`), 'update')
    await api.as(users.member3).patch(`/posts/${id}`, {
      body: { data: { type: 'posts', id: String(id), attributes: { title: 'Theirs', synopsis: 'Theirs.' } } },
    })
    const { status, text } = await browser.submit(action, { ...fields, [title]: 'Mine' }, { Cookie: cookie })
    expect([status, (await storedPost(id)).title]).toEqual([412, 'Theirs'])
    const table = /<div class="conflict".*?<\/table>/s.exec(text)?.[0] ?? ''
    expect([...table.matchAll(/<t[hd]\b[^>]*>(?:<span class="text">)?([^<]*)/g)].map(([, each]) => each)).toEqual([
      ...['Field', 'Now', 'Yours', 'Title', 'Theirs', 'Mine'],
    ])
    const { fields: again } = formIn(text, 'update')
    expect([again[title], again[synopsis]]).toEqual(['Mine', 'Theirs.'])
    expect((await browser.submit(action, again, { Cookie: cookie })).status).toBe(303)
    expect(await storedPost(id)).toMatchObject({ title: 'Mine', synopsis: 'Theirs.' })
  })

  test('shows nothing of a resource that its sender may not see', async () => {
    const { id } = await addPost(api.db, { title: 'A hidden draft', publishedAt: null, authorId: users.member4 })
    const { page, cookie } = await as(users.member3)
    const own = await addPost(api.db)
    const { fields } = formIn(await page(`/posts/${own.id}?-edit=true`), 'update')
    const { status, text } = await browser.submit(`/posts/${id}`, fields, { Cookie: cookie })
    expect([status, text.includes('hidden draft')]).toEqual([404, false])
  })
})

test('the form that creates says at each field what is wrong there, also where nothing was sent of it', async () => {
  const { page, cookie } = await as(users.member3)
  const { action, fields } = formIn(await page('/comments?-new='), 'create')
  const { status, text } = await browser.submit(action, fields, { Cookie: cookie })
  expect([status, errorsIn(text)]).toEqual([
    422,
    [
      ['create-content-error', 'The content field is required.'],
      ['create-commentable-error', 'The commentable field is required.'],
    ],
  ])
})

describe('the forms of a relationship', () => {
  const tagNames = async (id: number) =>
    (await api.db.tag.findMany({ where: { posts: { some: { id } } }, orderBy: { name: 'asc' } })).map(
      ({ name }) => name,
    )

  test('add, remove, and replace all', async () => {
    const { id } = await addPost(api.db)
    const tags = await Promise.all(
      ['scriptless 1', 'scriptless 2', 'scriptless 3'].map((name) => api.db.tag.create({ data: { name } })),
    )
    const [first, second, third] = tags.map((tag) => String(tag.id)) as [string, string, string]
    const path = `/posts/${id}/relationships/tags`
    const { send } = await as(users.admin)
    const control = 'many tags:/data'
    const change = async (form: string, ids: string) => {
      const { status, to: whole } = await send(path, form, { [control]: ids })
      const [to] = whole?.split('?-did=') ?? []
      expect([status, to]).toEqual([303, `/api/v1${path}`])
      return tagNames(id)
    }
    expect(await change('attach', `${first}, ${second}`)).toEqual(['scriptless 1', 'scriptless 2'])
    expect(await change('links-held', first)).toEqual(['scriptless 2'])
    expect(await change('replace', `${first}, ${third}`)).toEqual(['scriptless 1', 'scriptless 3'])
    expect(await change('replace', '')).toEqual([])
  })

  test('set and clear what a relation leads to', async () => {
    const { id } = await api.db.video.create({
      data: { title: 'Owned', url: 'https://videos.example.com/owned-by-form', ownerId: users.member3 },
    })
    const { send } = await as(users.admin)
    const path = `/videos/${id}/relationships/owner`
    const owner = async () => (await api.db.video.findUniqueOrThrow({ where: { id } })).ownerId
    expect((await send(path, 'replace', { 'one? users:/data': String(users.member4) })).status).toBe(303)
    expect(await owner()).toBe(users.member4)
    expect((await send(path, 'clear')).status).toBe(303)
    expect(await owner()).toBeNull()
  })

  test('say why they were refused, with what was written', async () => {
    const { id } = await addPost(api.db)
    const { send } = await as(users.admin)
    const { status, text } = await send(`/posts/${id}/relationships/tags`, 'attach', { 'many tags:/data': '999999' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).toContain('<details class="write" id="attach" open>')
    expect(tagOf(text, 'input id="attach-tags"')).toContain('value="999999"')
    expect(text).toMatch(/<div role="alert"><ul class="errors"><li>/)
  })
})

test('an action is carried out, and leads back to its resource', async () => {
  const { id } = await addPost(api.db, { publishedAt: null })
  const { send } = await as(users.member3)
  const { status, to } = await send(`/posts/${id}`, 'action-publish')
  expect([status, to]).toEqual([303, `/api/v1/posts/${id}?-did=action+publish`])
  expect((await storedPost(id)).publishedAt).toEqual(expect.any(Date))
})

describe('what no page of the session has sent', () => {
  test.each(['update', 'action-publish'])('changes nothing: %s without the seal', async (form) => {
    const { id } = await addPost(api.db, { publishedAt: null, title: 'Sealed' })
    const { page, cookie } = await as(users.member3)
    const { action, fields } = formIn(await page(`/posts/${id}${form === 'update' ? '?-edit=true' : ''}`), form)
    const { '-seal': _, ...unsealed } = fields
    for (const sent of [unsealed, { ...unsealed, '-seal': 'x'.repeat(43) }]) {
      const { status } = await browser.submit(
        action,
        { ...sent, ...(form === 'update' && { [title]: 'Forged' }) },
        { Cookie: cookie },
      )
      expect(status).toBeGreaterThanOrEqual(400)
    }
    const forged = { ...fields, ...(form === 'update' && { [title]: 'Forged' }) }
    const { status } = await browser.submit(action, forged, { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' })
    expect(status).toBe(403)
    expect(await storedPost(id)).toMatchObject({ title: 'Sealed', publishedAt: null })
  })

  test.each([
    ['/posts/1', 'PUT'],
    ['/posts/1', 'GET'],
    ['/posts/1/relationships/tags', 'PUT'],
    ['/posts/1/-actions/publish', 'GET'],
    ['/posts/1/-actions/publish', ''],
  ])('is no form of a page: %s with %j', async (path, method) => {
    const { status, text } = await browser.submit(path, { '-method': method })
    expect([status, text.includes('No page has this form.')]).toEqual([400, true])
  })
})

test('an English page writes short forms as people do', async () => {
  const { page } = await as(users.admin)
  const video = await api.db.video.findFirstOrThrow()
  expect(await page(`/videos/${video.id}`)).toContain('<dt>URL</dt>')
  expect(await page('/videos?-new=')).toMatch(/<label for="create-url" title="url">URL <abbr/)
})

describe('a form that no reader would send', () => {
  test('names more than a document may', async () => {
    const type = 'x'.repeat(400)
    const sent = new URLSearchParams({ '-method': 'POST', [`many ${type}:/data`]: '1,'.repeat(20_000) })
    const { status } = await browser.send('/api/v1/posts/1/relationships/tags', { method: 'POST', body: sent })
    expect(status).toBe(413)
  })

  test('names many rows of a type with a long name', async () => {
    const sent = new URLSearchParams([
      ['-many', 'delete'],
      ['-type', 'x'.repeat(100_000)],
      ...Array.from({ length: 100 }, (_, n): [string, string] => ['-row', String(n)]),
    ])
    const { status } = await browser.send('/api/v2/operations', { method: 'POST', body: sent })
    expect(status).toBe(413)
  })
})

test.each(['1e999', ' ', '-Infinity'])('what is no number clears none: %j', async (written) => {
  const { id } = await api.db.video.create({
    data: {
      title: 'Rated',
      url: `https://videos.example.com/${encodeURIComponent(written)}`,
      rating: 4,
      ownerId: users.member3,
    },
  })
  const { send } = await as(users.member3)
  const { status } = await send(`/videos/${id}`, 'update', { 'number?:/data/attributes/rating': written })
  expect([status, (await api.db.video.findUniqueOrThrow({ where: { id } })).rating]).toEqual([422, 4])
})

test('a page of another way to write its id keeps what was written', async () => {
  const { id } = await addPost(api.db)
  const [first = '', ...rest] = String(id)
  const { send } = await as(users.member3)
  const { status, text } = await send(`/posts/%${first.charCodeAt(0).toString(16)}${rest.join('')}`, 'update', {
    [slug]: 'Not A Slug',
  })
  expect(status).toBe(422)
  expect(formIn(text, 'update').fields[slug]).toBe('Not A Slug')
})

test('who has signed out, or in as another, writes nothing by a page of before', async () => {
  const { page } = await as(users.member3)
  const { id } = await addPost(api.db)
  const { action, fields } = formIn(await page(`/posts/${id}?-edit=true`), 'update')
  const { cookie } = await as(users.admin)
  for (const headers of [{}, { Cookie: cookie }]) {
    const { status, text } = await browser.submit(action, { ...fields, [title]: 'Theirs' }, headers)
    expect([status, text.includes('You have signed in or out since this page was made.')]).toEqual([403, true])
  }
})

test('a password that the browser keeps is none that other sites send', async () => {
  const { id } = await addPost(api.db, { publishedAt: null })
  const { status } = await browser.send(`/api/v1/posts/${id}/-actions/publish`, {
    method: 'POST',
    body: new URLSearchParams({ '-method': 'POST' }),
    headers: { Authorization: await api.authorization(users.member3) },
  })
  expect([status, (await storedPost(id)).publishedAt]).toEqual([403, null])
})
