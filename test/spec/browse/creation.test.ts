import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserOf, tagOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// "New comment" of a post leads to a page that creates one, and back. It needs no script.

const api = useApi()
const browser = browserOf(api)
const as = async (userId: number) => {
  const { cookie } = await browser.signIn(userId)
  return {
    page: async (path: string) => (await browser.send(path, { headers: { Cookie: cookie } })).text,
    submit: (path: string, fields: Readonly<Record<string, string>>) =>
      browser.submit(path, fields, { Cookie: cookie }),
  }
}
const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const linksNew = (text: string) =>
  [...text.matchAll(/<a class="new" href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, title]) => [
    title,
    plain(href as string),
  ])
const sealIn = (text: string) => /<body data-seal="([^"]+)"/.exec(text)?.[1] as string
const content = 'string!:/data/attributes/content'
const commentable = 'one?!:/data/relationships/commentable/data'
const chosen = 'type:/data/relationships/commentable/data'

describe('the page of a resource', () => {
  test('leads to a new one of what it is related to, as far as its reader may create it and say so', async () => {
    const { id } = await addPost(api.db)
    const path = `/api/v1/posts/${id}`
    const href = `/api/v1/comments?${new URLSearchParams({ '-new': `commentable:posts:${id}`, '-back': path })}`
    expect(linksNew(await (await as(users.member3)).page(path))).toEqual([['New comment', href]])
    expect(linksNew((await browser.send(path)).text)).toEqual([])
  })

  test('and so do its relations', async () => {
    const { id } = await addPost(api.db)
    const { page } = await as(users.admin)
    const tags = `/api/v1/posts/${id}/relationships/tags`
    expect(linksNew(await page(tags))).toEqual([
      ['New tag', `/api/v1/tags?${new URLSearchParams({ '-new': '', '-back': tags })}`],
    ])
    const comments = `/api/v1/posts/${id}/comments?include=author`
    expect(linksNew(await page(comments))).toEqual([
      [
        'New comment',
        `/api/v1/comments?${new URLSearchParams({ '-new': `commentable:posts:${id}`, '-back': comments })}`,
      ],
    ])
  })
})

describe('the page that creates', () => {
  test('has the relation filled in, and what it leads to by its name', async () => {
    const { id } = await addPost(api.db, { title: 'Said of it' })
    const { page } = await as(users.member3)
    const text = await page(`/comments?-new=commentable:posts:${id}&-back=/api/v1/posts/${id}`)
    expect(text).toContain('<h1>New comment</h1>')
    expect(text).toContain('<option selected>posts</option>')
    expect(tagOf(text, 'input id="create-commentable"')).toContain(`value="${id}"`)
    expect(text).toContain('<output for="create-commentable">Said of it</output>')
    expect(text).toContain(`<a href="/api/v1/posts/${id}">Cancel</a>`)
    expect(tagOf(text, 'form action="/api/v1/comments?')).toContain(`data-next="/api/v1/posts/${id}" data-made`)
  })

  test('leads to a new one of what its fields could name, and finds it there when its reader is back', async () => {
    const { page, submit } = await as(users.admin)
    const path = `/posts?${new URLSearchParams({ '-new': '', '-back': '/api/v1/posts?sort=title' })}`
    const ways = new Map(linksNew(await page(path)) as [string, string][])
    expect([...ways.keys()]).toEqual(['New user', 'New tag'])
    const way = (ways.get('New tag') as string).slice('/api/v1'.length)
    const fields = { '-seal': sealIn(await page(way)), 'string!:/data/attributes/name': 'missed by a post' }
    const { status, headers } = await submit(way, fields)
    const back = headers.get('Location') as string
    const tag = await api.db.tag.findFirstOrThrow({ where: { name: 'missed by a post' } })
    const query = new URLSearchParams({ '-new': '', '-back': '/api/v1/posts?sort=title', '-for': 'tags' })
    expect([status, back]).toEqual([303, `/api/v1/posts?${query}&-made=tags%2F${tag.id}`])
    const text = await page(back)
    expect(text).toContain('<h1>New post</h1>')
    expect(text).toContain(`Created: <a href="/api/v1/tags/${tag.id}">missed by a post</a>`)
    expect(tagOf(text, 'input id="create-tags"')).toContain(`value="${tag.id}"`)
    expect(tagOf(text, 'input id="create-author"')).toContain('value=""')
    expect(text).toContain('<output for="create-tags">missed by a post</output>')
    expect(text).toContain('<a href="/api/v1/posts?sort=title">Cancel</a>')
    expect(linksNew(await (await as(users.member3)).page('/posts?-new=')).map(([title]) => title)).toEqual([])
  })

  test('keeps what the new one belongs to, and takes a made one of the right type only', async () => {
    const { id } = await addPost(api.db)
    const { page } = await as(users.admin)
    const path = `/comments?-new=commentable:posts:${id}&-for=author`
    const text = await page(`${path}&-made=users/${users.member4}`)
    expect(tagOf(text, 'input id="create-author"')).toContain(`value="${users.member4}"`)
    expect(tagOf(text, 'input id="create-commentable"')).toContain(`value="${id}"`)
    expect(tagOf(await page(`${path}&-made=tags/1`), 'input id="create-author"')).toContain('value=""')
  })

  test.each(['/api/v1', '/api/v2'])('is refused to a guest who sends its form to %s', async (base) => {
    const body = new URLSearchParams({ 'string:/data/attributes/name': 'forged' })
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const answer = await browser.send(`${base}/users?-new=`, { method: 'POST', body, headers })
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([403, 'text/html; charset=utf-8'])
  })

  test('is refused to who may not create', async () => {
    const { text } = await browser.send('/comments?-new=')
    expect(text).toContain('You may not create one. <a href="/api/v1/comments">Cancel</a>')
    expect(text).not.toContain('id="create"')
  })

  test.each([
    ['https://evil.example/api/v1'],
    ['//evil.example/api/v1'],
    ['/\\evil.example/api/v1'],
    ['javascript:alert(1)'],
    ['/api/v1/../../elsewhere'],
    ['/api/v10'],
  ])('leads nowhere else: not to %s', async (back) => {
    const { page, submit } = await as(users.member3)
    const path = `/comments?${new URLSearchParams({ '-new': '', '-back': back })}`
    const text = await page(path)
    expect(text).toContain('<a href="/api/v1/comments">Cancel</a>')
    expect(tagOf(text, 'form action="/api/v1/comments?')).not.toContain('data-next')
    const { id } = await addPost(api.db)
    const fields = { '-seal': sealIn(text), [content]: 'Well.', [chosen]: 'posts', [commentable]: String(id) }
    const { status, headers } = await submit(path, fields)
    const made = await api.db.comment.findFirstOrThrow({ where: { postId: id } })
    expect([status, headers.get('Location')]).toEqual([303, `/api/v1/comments/${made.id}?-did=create`])
  })

  test('creates without a script, and leads back to the page that names the new one', async () => {
    const post = await addPost(api.db)
    const { page, submit } = await as(users.member3)
    const path = `/comments?${new URLSearchParams({ '-new': `commentable:posts:${post.id}`, '-back': `/api/v1/posts/${post.id}` })}`
    const text = await page(path)
    expect(plain(tagOf(text, 'form action=') ?? '')).toContain(`action="/api/v1${path}"`)
    for (const name of [content, commentable, chosen]) expect(text).toContain(`name="${name}"`)
    const fields = {
      '-seal': sealIn(text),
      [content]: 'One line.\r\nAnother.',
      [chosen]: 'posts',
      [commentable]: String(post.id),
    }
    const { status, headers } = await submit(path, fields)
    const made = await api.db.comment.findFirstOrThrow({ where: { postId: post.id } })
    expect([made.content, made.authorId]).toEqual(['One line.\nAnother.', users.member3])
    const back = `/api/v1/posts/${post.id}?-made=comments%2F${made.id}`
    expect([status, headers.get('Location')]).toEqual([303, back])
    expect(await page(back)).toContain(
      `<p class="done" role="status">Created: <a href="/api/v1/comments/${made.id}">One line. Another.</a></p>`,
    )
  })

  test('shows what is wrong at its field, and keeps what was written', async () => {
    const { page, submit } = await as(users.member3)
    const path = '/posts?-new='
    const fields = {
      '-seal': sealIn(await page(path)),
      'string!:/data/attributes/title': 'A title',
      'string!:/data/attributes/slug': 'No Slug',
      'string!:/data/attributes/content': 'Text.',
      'datetime?:/data/attributes/publishedAt': '2020-01-02T03:04',
    }
    const { status, text } = await submit(path, fields)
    expect(status).toBe(422)
    expect(text).toContain('<h1>New post</h1>')
    expect(tagOf(text, 'input id="create-title"')).toContain('value="A title"')
    expect(tagOf(text, 'input id="create-publishedAt"')).toContain('value="2020-01-02T03:04"')
    expect(tagOf(text, 'input id="create-slug"')).toContain('aria-invalid="true"')
    expect(text).toMatch(/<p class="error" id="create-slug-error">[^<]+<\/p>/)
    expect(text).toContain('<p class="error" id="create-title-error" hidden></p>')
    expect(await api.db.post.count({ where: { title: 'A title' } })).toBe(0)
  })

  test.each([
    ['without the seal', {}, {}, 403],
    ['from another site', { '-seal': 'own' }, { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ])('%s creates nothing', async (_, sent, headers, expected) => {
    const { cookie } = await browser.signIn(users.admin)
    const seal = sealIn((await browser.send('/tags', { headers: { Cookie: cookie } })).text)
    const fields = { ...(Object.keys(sent).length > 0 && { '-seal': seal }), 'string!:/data/attributes/name': 'forged' }
    const { status } = await browser.submit('/tags?-new=', fields, { Cookie: cookie, ...headers })
    expect(status).toBe(expected)
    expect(await api.db.tag.count({ where: { name: 'forged' } })).toBe(0)
  })

  test('refuses names of fields as a client that sends them is refused', async () => {
    const { page, submit } = await as(users.admin)
    const seal = sealIn(await page('/tags?-new='))
    const proto = { '-seal': seal, 'string:/data/attributes/__proto__': 'x' }
    expect((await submit('/tags?-new=', proto)).status).toBe(400)
    const deep = { '-seal': seal, 'json:/data/attributes/name': `${'['.repeat(500)}${']'.repeat(500)}` }
    expect((await submit('/tags?-new=', deep)).status).toBe(400)
    const odd = { '-seal': seal, 'string:/data/id/x': 'x', 'string:/data/type': 'posts' }
    expect((await submit('/tags?-new=', odd)).status).toBe(422)
  })
})

describe('a form of another site', () => {
  const body = new URLSearchParams({ 'string:/data/attributes/name': 'forged' })
  const send = async (headers: Readonly<Record<string, string>>) =>
    (await browser.send('/api/v1/tags?-new=', { method: 'POST', body, headers })).status

  test('is refused where an old browser sends it, with the cookies of the application', async () => {
    expect(await send({ Cookie: 'session=of-the-application' })).toBe(403)
    expect(await send({ Cookie: 'session=of-the-application', Origin: 'https://evil.example' })).toBe(403)
    expect(await send({ Cookie: 'session=of-the-application', 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  })

  test('with more controls than any page has is refused at once', async () => {
    const many = new URLSearchParams(Array.from({ length: 40_000 }, (): [string, string] => ['json:/data/id', '1']))
    const answer = await browser.send('/api/v1/tags?-new=', { method: 'POST', body: many })
    expect([answer.status, answer.text.includes('The form has too many controls.')]).toEqual([400, true])
  })

  test.each(['n', 'N', '_'])(
    'with a control that no page has, of a very long name (%s…), is refused at once',
    async (letter) => {
      const body = new URLSearchParams({ [`string:/data/attributes/${letter.repeat(120_000)}/`]: 'x' })
      const before = process.cpuUsage()
      const { status } = await browser.send('/api/v1/tags?-new=', { method: 'POST', body })
      const { user, system } = process.cpuUsage(before)
      expect(status).toBe(400)
      expect((user + system) / 1e6).toBeLessThan(3)
    },
  )
})

describe('who comes back', () => {
  test('to a relationship finds the new one chosen in its form', async () => {
    const post = await addPost(api.db)
    const tag = await api.db.tag.create({ data: { name: 'new and chosen' } })
    const { page } = await as(users.admin)
    const text = await page(`/posts/${post.id}/relationships/tags?-made=tags/${tag.id}`)
    expect(text).toContain('<details class="write" id="attach" open>')
    expect(tagOf(text, 'input id="attach-tags"')).toContain(`value="${tag.id}"`)
    expect(text).toContain('Created: <a')
  })

  test.each(['users/1/x', 'comments/999999', 'nothing/1', '%22%3E%3Cb%3E/1', 'posts'])(
    'with %s is told nothing',
    async (made) => {
      const { page } = await as(users.member3)
      const text = await page(`/tags?-made=${made}`)
      expect(text).toContain('<h1>Tags</h1>')
      expect(text).not.toContain('Created:')
    },
  )
})

describe('a type whose singular the rules of spelling get wrong', () => {
  class CookieSchema extends Schema<'Tag'> {
    override readonly type = 'cookies'
  }
  class LensSchema extends Schema<'Profile'> {
    override readonly type = 'lenses'
  }
  const servers = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [openServer('odd', { Tag: CookieSchema, Profile: LensSchema })],
  }))
  const get = async (path: string, accept: string) =>
    (await fetch(`${servers.at}/api/odd${path}`, { headers: { Accept: accept } })).text()

  test.each([
    ['cookies', 'cookie', 'Cookie'],
    ['lenses', 'lens', 'Lens'],
  ])('%s: a page and the document call one a %s', async (type, one, capital) => {
    const [list, form, document] = await Promise.all([
      get(`/${type}`, 'text/html'),
      get(`/${type}?-new=`, 'text/html'),
      get('/openapi.json', 'application/json'),
    ])
    expect(linksNew(list)).toEqual([[`New ${one}`, `/api/odd/${type}?-new=`]])
    expect(form).toContain(`<h1>New ${one}</h1>`)
    const { post } = JSON.parse(document).paths[`/api/odd/${type}`]
    expect([post.operationId, post.summary]).toEqual([`create${capital}`, `Create a ${one}`])
  })
})
