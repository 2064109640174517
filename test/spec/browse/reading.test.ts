import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { browserOf, formIn, tagOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'

const api = useApi()
const browser = browserOf(api)
const hrefs = (text: string): readonly string[] =>
  [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href as string)

describe('the start page', () => {
  test('has every type that the caller is told of, with a link, in the rail, in a list and in a diagram', async () => {
    const { text } = await browser.send('/api/v1')
    expect(text).toContain('<title>Home · A publishing site</title>')
    expect(text).toContain('<svg ')
    for (const type of ['posts', 'comments', 'tags', 'videos'])
      expect(hrefs(text).filter((href) => href === `/api/v1/${type}`)).toHaveLength(3)
    expect(text).toMatch(/<line [^>]*><title>[^<]*posts\.author/)
    expect(text).toContain('commentable → posts or videos')
    expect(text).toContain('You are a guest.')
  })
})

describe('a collection', () => {
  test('is a table whose links lead on, here and not at the public origin', async () => {
    const { text } = await browser.send(
      '/posts?page[number]=1&page[size]=2&include=author&fields[posts]=title,author,tags',
    )
    expect(text).toContain('title="Sort by Title">Title</a></th>')
    const [first] = (await api.guest.get('/posts?page[number]=1&page[size]=2')).body.data
    expect(hrefs(text)).toEqual(expect.arrayContaining([`/api/v1/posts/${first.id}`, `/api/v1/posts/${first.id}/tags`]))
    const next = hrefs(text).find((href) => href.includes('number%5D=2'))
    expect(next).toMatch(/^\/api\/v1\/posts\?/)
    expect((await browser.send((next as string).replaceAll('&amp;', '&'))).status).toBe(200)
    expect(hrefs(text).filter((href) => href.startsWith('https://api.example.org'))).toEqual([])
    expect(text).toContain('<summary>Users (')
  })

  test('can be asked for otherwise by a form that needs no script: the answer is sent to the URL of the API', async () => {
    const sent = new URLSearchParams([
      ['-form', '1'],
      ['-include', 'author'],
      ['-include', 'tags'],
      ['-sort', '-title'],
      ['-field', 'title'],
      ['-operator', 'contains'],
      ['-value', '7 & 8'],
      ['filter[slug]', 'kept'],
      ['-of', 'posts title,updatedAt,author'],
      ['-fields.posts', 'title'],
      ['-fields.posts', 'author'],
      ['-of', 'users name'],
      ['-fields.users', 'name'],
      ['page[size]', '5'],
      ['page[number]', ''],
    ])
    const { status, headers } = await browser.send(`/posts?${sent}`)
    expect(status).toBe(303)
    const location = new URL(headers.get('Location') as string, 'http://x')
    expect(location.pathname).toBe('/api/v1/posts')
    expect([...location.searchParams]).toEqual([
      ['filter[slug]', 'kept'],
      ['page[size]', '5'],
      ['include', 'author,tags'],
      ['sort', '-title'],
      ['fields[posts]', 'title,author'],
      ['filter[title][contains]', '7 & 8'],
    ])
  })

  test('offers what the schema has, and what is asked for already', async () => {
    const { text } = await browser.send('/posts?include=author&sort=-title&filter[title][contains]=7')
    expect(text).toContain('<input type="hidden" name="include" value="author">')
    const boxes = [...text.matchAll(/<input type="checkbox" name="([^"]*)" value="(?:author|comments)"/g)]
    expect(boxes.map(([, name]) => name)).toEqual(['-fields.posts', '-fields.posts'])
    expect(text).toContain('<option value="-title" selected>')
    expect(text).toContain('<input type="hidden" name="filter[title][contains]" value="7">')
    expect(text).toContain('<option value="publishedAt">Published at</option>')
    expect(text).not.toContain('<option value="trashed">')
  })

  test('keeps the fields of types that it has no boxes for', async () => {
    const asked = { include: 'author.profile', 'fields[posts]': 'title,author', 'fields[profiles]': 'bio' }
    const { text } = await browser.send(`/posts?${new URLSearchParams(asked)}`)
    const { fields } = formIn(text, 'view')
    const kept = [fields.include, fields['fields[posts]'], fields['fields[profiles]']]
    expect(kept).toEqual(['author.profile', undefined, 'bio'])
  })

  test('offers to nobody what their rules do not allow', async () => {
    const { cookie } = await browser.signIn(users.member3)
    const way = '<div class="head"><h1>Posts</h1><p><a class="new" href="/api/v1/posts?-new=">New post</a></p></div>'
    expect((await browser.send('/posts')).text).not.toContain(way)
    expect((await browser.send('/posts', { headers: { Cookie: cookie } })).text).toContain(way)
    const { text } = await browser.send('/posts?-new=', { headers: { Cookie: cookie } })
    expect(text).toContain('data-pointer="/data/attributes/title"')
    expect(text).not.toContain('data-pointer="/data/relationships/author/data"')
    const admin = await browser.signIn(users.admin)
    const page = await browser.send('/posts?-new=', { headers: { Cookie: admin.cookie } })
    expect(page.text).toContain('data-pointer="/data/relationships/author/data"')
  })
})

describe('a resource', () => {
  const formsOf = (text: string) => [...text.matchAll(/<details class="write" id="([^"]+)"/g)].map(([, id]) => id)

  test('has the forms of what this caller may do with this row', async () => {
    const own = await api.db.post.findFirstOrThrow({
      where: { authorId: users.member3, publishedAt: { lt: new Date() } },
    })
    const draft = await addPost(api.db, { authorId: users.member3, publishedAt: null })
    const other = await api.db.post.findFirstOrThrow({
      where: { authorId: { not: users.member3 }, publishedAt: { lt: new Date() } },
    })
    const { cookie } = await browser.signIn(users.member3)
    const as = (path: string, headers = { Cookie: cookie }) => browser.send(path, { headers })
    expect(formsOf((await as(`/posts/${own.id}`)).text)).toEqual([])
    expect(formsOf((await as(`/posts/${draft.id}`)).text)).toEqual(['action-publish'])
    expect(formsOf((await as(`/posts/${other.id}`)).text)).toEqual([])
    expect(formsOf((await browser.send(`/posts/${own.id}`)).text)).toEqual([])
    const isEdited = async (id: number, asking: typeof as = as) => [
      (await asking(`/posts/${id}`)).text.includes('id="edit"'),
      (await asking(`/posts/${id}?-edit=true`)).text.includes('id="update"'),
    ]
    expect(await isEdited(own.id)).toEqual([true, true])
    expect(await isEdited(other.id)).toEqual([false, false])
    expect(await isEdited(own.id, (path) => browser.send(path))).toEqual([false, false])
    expect(formsOf((await as(`/posts/${own.id}/relationships/tags`)).text)).toEqual(['attach', 'replace'])
    expect(formsOf((await as(`/posts/${own.id}/relationships/author`)).text)).toEqual([])
  })

  test('has inputs as its rules are', async () => {
    const { cookie } = await browser.signIn(users.member3)
    const { text } = await browser.send('/posts?-new=', { headers: { Cookie: cookie } })
    expect(tagOf(text, 'input id="create-title"')).toBe(
      '<input id="create-title" name="string!:/data/attributes/title" data-pointer="/data/attributes/title" data-kind="string" required aria-describedby="create-title-error create-title-hint" value="" autocomplete="off">',
    )
    expect(tagOf(text, 'input id="create-publishedAt"')).toContain('type="datetime-local"')
    expect(tagOf(text, 'textarea id="create-content"')).not.toBeNull()
    expect(text).toContain('Up to 200 characters')
  })

  test('shows the first of what its relations hold, and what this caller may do', async () => {
    const tags = { create: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name: `many ${name}` })) }
    const { id } = await addPost(api.db, { tags })
    const { cookie } = await browser.signIn(users.member4)
    const { text } = await browser.send(`/posts/${id}`, { headers: { Cookie: cookie } })
    expect(text).toMatch(new RegExp(`<div class="head"><h1>[^<]+</h1><p class="sub">post ${id}</p>`))
    const [, shown = ''] = /<dt><a href="[^"]+">Tags<\/a><\/dt><dd>(.*?)<\/dd>/s.exec(text) ?? []
    expect(shown.match(/>many [a-f]</g)).toHaveLength(5)
    expect(shown).toContain(`<a href="/api/v1/posts/${id}/tags">and more</a>`)
    const may = (await browser.send(`/posts/${id}?-tab=permissions`, { headers: { Cookie: cookie } })).text
    expect(may).toContain('<p class="allowed"><span class="mark yes">yes</span><span>See it, ')
    expect(may).toContain(
      '<span class="mark no">no</span><div>Update, Delete<div class="why"><p>You may not do this with this record.</p>',
    )
  })

  test('shows the request for a shell, without the token, and the document', async () => {
    const { cookie, token } = await browser.signIn(users.member3)
    const { text } = await browser.send('/posts/1?include=tags', { headers: { Cookie: cookie } })
    expect(text).toContain(
      'curl -g -H &#39;Accept: application/vnd.api+json&#39; -H &quot;Authorization: Bearer $TOKEN&quot; &#39;https://api.example.org/api/v1/posts/1?include=tags&#39;',
    )
    expect(text).toContain('&quot;jsonapi&quot;')
    expect(text).not.toContain(token)
    expect(text).not.toContain(Buffer.from(`Bearer ${token}`).toString('base64url'))
  })
})

test('scripts in data are text, and so are links that are none', async () => {
  const bad = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "javascript:alert('1')",
    '</textarea><b>',
    '</title>',
  ]
  const post = {
    title: bad[0] as string,
    content: bad[1] as string,
    synopsis: bad[2] as string,
    publishedAt: new Date(0),
  }
  const row = await api.db.post.create({
    data: { ...post, slug: 'bad-1', authorId: users.member3, createdAt: new Date() },
  })
  await api.db.comment.create({ data: { content: bad.join(' '), authorId: users.member3, postId: row.id } })
  const { cookie } = await browser.signIn(users.member3)
  const search = `filter[title]=${encodeURIComponent(bad[1] as string)}`
  const paths = [
    `/posts/${row.id}?include=comments`,
    '/posts',
    `/posts?${search}`,
    `/posts/${encodeURIComponent(bad[0] as string)}`,
  ]
  for (const path of paths) {
    const { text } = await browser.send(path, { headers: { Cookie: cookie } })
    const tags = [...text.matchAll(/<\/?([a-z]+)/g)].map(([, name]) => name)
    const scripts = [...text.matchAll(/<script([^>]*)>([^<]*)/g)].map(([, ...all]) => all)
    expect(
      scripts.filter(
        ([from, own]) => !/^ src="\/api\/v1\/-browse\/assets\/\w+\.js\?[\w-]+"$/.test(from ?? '') || own !== '',
      ),
    ).toEqual([])
    // The logo.
    expect(tags.filter((name) => name === 'img')).toHaveLength(1)
    expect(tags).not.toContain('b')
    expect(hrefs(text).filter((href) => !/^(?:\/|https?:|#content$)/.test(href))).toEqual([])
  }
})

test('other servers are ways of the menu of its reader, and not of the head', async () => {
  const { text } = await browser.send('/api/v2/posts')
  const [head = '', menu = ''] = (/<header>.*?<\/header>/s.exec(text)?.[0] ?? '').split('<details class="menu me">')
  expect(head).not.toMatch(/href="\/api\/v1"/)
  expect(menu).toContain('<a href="/api/v1">v1</a><a href="/api/v2" aria-current="true">v2</a>')
})

test.each(['/api/v1', '/api/v2'])('every link of a page below %s leads to a page, or a file', async (base) => {
  const { cookie } = await browser.signIn(users.admin, base)
  const seen = new Set([base])
  const failed: string[] = []
  let visited = 0
  for (const path of seen) {
    if (visited++ > 150) break
    const { status, headers, text } = await browser.send(path, { headers: { Cookie: cookie } })
    const isFile = /[?&]-as=/.test(path)
    const isRight = headers.get('Content-Type')?.startsWith('text/html') === !isFile
    if (status !== 200 || !isRight) failed.push(`${path} ${status}`)
    const own = hrefs(text).map((href) => href.replaceAll('&amp;', '&'))
    for (const href of own) if (href.startsWith(base) && !/\/assets\//.test(href)) seen.add(href)
  }
  expect(failed).toEqual([])
  expect(visited).toBeGreaterThan(100)
})

test('a collection that is sent part by part is a page, too', async () => {
  await api.db.tag.createMany({ data: Array.from({ length: 600 }, (_, i) => ({ name: `part ${i}` })) })
  const { status, text } = await browser.send('/tags')
  expect([status, text.match(/<th scope="row">/g)?.length]).toEqual([200, await api.db.tag.count()])
})

describe('the request for the typed client', () => {
  const shownAt = async (path: string) =>
    /aria-label="The request, for the typed client"><code>(.*?)<\/code>/s.exec((await browser.send(path)).text)?.[1]

  test('has what its types know by its type, and the rest past them', async () => {
    const query =
      'filter[publishedAt][isNull]=false&filter[or][0][title]=a&filter[or][1][title]=b&page[size]=5&include='
    expect((await shownAt(`/posts?${query}`))?.replaceAll('&#39;', "'")).toContain(`api.GET('/api/v1/posts', {
  params: {
    query: { 'filter[publishedAt][isNull]': false, 'page[size]': 5, ...({ 'filter[or][0][title]': 'a', 'filter[or][1][title]': 'b', include: '' } as object) },
  },
})`)
  })

  test('is not there for what was refused', async () => {
    expect(await shownAt('/posts?filter[nothing]=1')).toBeUndefined()
    expect(await shownAt('/posts/1')).toContain('/posts/{id}')
  })
})
