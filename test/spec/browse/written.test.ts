import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, browserOf, formIn, tagOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// What somebody has typed is there again, whatever a form is answered, without a script.

const api = useApi()
const browser = browserOf(api)

const lapsed = `prismapi-browse=${Buffer.from('Bearer lapsed').toString('base64url')}`
const sealIn = (text: string) => /<body data-seal="([^"]+)"/.exec(text)?.[1] as string

/** A form of a page as its reader had it, and the session of the same reader once the token has lapsed. */
async function formOf(userId: number, path: string, id: string) {
  const { cookie, token } = await browser.signIn(userId)
  const shown = id === 'update' ? `${path}?-edit=true` : path
  const { text } = await browser.send(shown, { headers: { Cookie: cookie } })
  const { action, fields } = formIn(text, id)
  const after = await browser.send('/posts', { headers: { Cookie: lapsed } })
  const send = (changes: Readonly<Record<string, string>>, headers = { Cookie: cookie }) =>
    browser.submit(action, { ...fields, ...changes }, headers)
  return {
    send,
    sendLapsed: (changes: Readonly<Record<string, string>>) =>
      send({ ...changes, '-seal': sealIn(after.text) }, { Cookie: lapsed }),
    token,
  }
}

const writtenIn = (text: string) =>
  [
    ...(/<section id="written">.*?<\/section>/s.exec(text)?.[0] ?? '').matchAll(
      /<dt>([^<]*)<\/dt><dd><span class="text">([^<]*)<\/span><\/dd>/g,
    ),
  ].map(([, ...all]) => all)
const alertIn = (text: string) => /<div role="alert"><ul class="errors"><li><strong>([^<]*)/.exec(text)?.[1]
const [title, content, slug] = ['title', 'content', 'slug'].map((name) => `string:/data/attributes/${name}`) as [
  string,
  string,
  string,
]
const storedPost = (id: number) => api.db.post.findUniqueOrThrow({ where: { id } })

describe('a form of somebody whose token has lapsed: 401', () => {
  test('shows what was written, escaped, below the error; signing in there sends it', async () => {
    const { id } = await addPost(api.db, { title: 'Before' })
    const { sendLapsed, token } = await formOf(users.member3, `/posts/${id}`, 'update')
    const { status, text } = await sendLapsed({ [title]: '<b>"Mine"</b> & more', [content]: 'One.\r\nTwo.' })
    expect([status, alertIn(text)]).toEqual([401, 'Unauthorized'])
    expect(writtenIn(text)).toEqual([
      ['Title', '&lt;b&gt;&quot;Mine&quot;&lt;/b&gt; &amp; more'],
      ['Content', 'One.\r\nTwo.'],
    ])
    expect(text.indexOf('role="alert"')).toBeLessThan(text.indexOf('id="written"'))

    const { action, fields } = formIn(text, 'written')
    expect(tagOf(text, 'input type="password" id="written-token"')).toContain(' required ')
    const answer = await browser.submit(action, { ...fields, '-token': token }, { Cookie: lapsed })
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/api/v1/posts/${id}?-did=save`])
    const [cookie = ''] = (answer.headers.get('Set-Cookie') ?? '').split(';')
    expect((await browser.send('/posts', { headers: { Cookie: cookie } })).text).toContain('You are Member 3 (MEMBER).')
    expect(await storedPost(id)).toMatchObject({ title: '<b>"Mine"</b> & more', content: 'One.\nTwo.' })
  })

  test('keeps what was written while tokens are refused', async () => {
    const { id } = await addPost(api.db, { title: 'Before' })
    const { sendLapsed } = await formOf(users.member3, `/posts/${id}`, 'update')
    const { text } = await sendLapsed({ [title]: 'Kept' })
    const { action, fields } = formIn(text, 'written')
    for (const token of ['nobody', '', 'a\u0007b']) {
      const again = await browser.submit(action, { ...fields, '-token': token }, { Cookie: lapsed })
      expect([again.status, again.headers.get('Set-Cookie'), writtenIn(again.text)]).toEqual([
        ...[401, null, [['Title', 'Kept']]],
      ])
    }
    expect((await storedPost(id)).title).toBe('Before')
  })

  test('is shown as a form again where what it says is refused once its sender is known', async () => {
    const { id } = await addPost(api.db)
    const { sendLapsed, token } = await formOf(users.member3, `/posts/${id}`, 'update')
    const { text } = await sendLapsed({ [slug]: 'Not A Slug' })
    const { action, fields } = formIn(text, 'written')
    const answer = await browser.submit(action, { ...fields, '-token': token }, { Cookie: lapsed })
    const [cookie = ''] = (answer.headers.get('Set-Cookie') ?? '').split(';')
    const again = formIn(answer.text, 'update')
    expect([answer.status, again.fields[slug]]).toEqual([422, 'Not A Slug'])
    const mended = { ...again.fields, [slug]: `signed-in-again-${id}` }
    expect((await browser.submit(again.action, mended, { Cookie: cookie })).status).toBe(303)
  })

  test('creates as well, and goes on as it would have', async () => {
    const { id } = await addPost(api.db)
    const back = `/api/v1/posts/${id}`
    const { sendLapsed, token } = await formOf(
      users.member3,
      `/comments?-new=commentable:posts:${id}&-back=${back}`,
      'create',
    )
    const { status, text } = await sendLapsed({ 'string!:/data/attributes/content': 'Said too late.' })
    expect([status, writtenIn(text)]).toEqual([
      401,
      [
        ['Content', 'Said too late.'],
        ['Commentable', `posts ${id}`],
      ],
    ])
    expect(text).not.toContain('You may not create one.')
    const { action, fields } = formIn(text, 'written')
    const answer = await browser.submit(action, { ...fields, '-token': token }, { Cookie: lapsed })
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      303,
      expect.stringContaining(`${back}?-made=comments%2F`),
    ])
    expect(await api.db.comment.count({ where: { content: 'Said too late.' } })).toBe(1)
  })

  test('asks for a password again, and shows none', async () => {
    const { sendLapsed, token } = await formOf(users.admin, '/users?-new=', 'create')
    const [name, email, password, confirmation] = ['name', 'email', 'password', 'passwordConfirmation'].map(
      (each) => `string!:/data/attributes/${each}`,
    ) as [string, string, string, string]
    const { status, text } = await sendLapsed({
      ...{
        [name]: 'Late',
        [email]: 'late@example.com',
        [password]: 'hunter2-hunter2',
        [confirmation]: 'hunter2-hunter2',
      },
    })
    expect([status, text.includes('hunter2'), writtenIn(text)]).toEqual([
      ...[401, false],
      expect.arrayContaining([
        ['Name', 'Late'],
        ['Email', 'late@example.com'],
      ]),
    ])
    const { action, fields } = formIn(text, 'written')
    expect([fields[password], fields[confirmation]]).toEqual(['', ''])
    const secrets = { [password]: 'hunter2-hunter2', [confirmation]: 'hunter2-hunter2', '-token': token }
    expect((await browser.submit(action, { ...fields, ...secrets }, { Cookie: lapsed })).status).toBe(303)
    expect(await api.db.user.count({ where: { email: 'late@example.com' } })).toBe(1)
  })

  test('publishes as well, which has nothing to show', async () => {
    const { id } = await addPost(api.db, { publishedAt: null })
    const { sendLapsed, token } = await formOf(users.member3, `/posts/${id}`, 'action-publish')
    const { status, text } = await sendLapsed({})
    expect([status, text.includes('What you wrote')]).toEqual([401, false])
    const { action, fields } = formIn(text, 'written')
    expect((await browser.submit(action, { ...fields, '-token': token }, { Cookie: lapsed })).status).toBe(303)
    expect((await storedPost(id)).publishedAt).toEqual(expect.any(Date))
  })

  test('takes no token that another site sends along', async () => {
    const { id } = await addPost(api.db, { title: 'Before' })
    const { sendLapsed, token } = await formOf(users.member3, `/posts/${id}`, 'update')
    const { action, fields } = formIn((await sendLapsed({ [title]: 'Forged' })).text, 'written')
    const sent = { ...fields, '-token': token }
    const other = await browser.submit(action, sent, { 'Sec-Fetch-Site': 'cross-site' })
    const untold = await browser.send(action, {
      ...{ method: 'POST', body: new URLSearchParams(sent), headers: { Cookie: 'an=application' } },
    })
    expect([other.status, untold.status, (await storedPost(id)).title]).toEqual([403, 403, 'Before'])
    expect(writtenIn(other.text)).toEqual([])
  })
})

test('who has signed out meanwhile finds what was written, and sends it by signing in: 403', async () => {
  const { id } = await addPost(api.db, { title: 'Before' })
  const { send, token } = await formOf(users.member3, `/posts/${id}`, 'update')
  const { status, text } = await send({ [title]: 'Kept' }, { Cookie: '' })
  expect([status, writtenIn(text)]).toEqual([403, [['Title', 'Kept']]])
  const { action, fields } = formIn(text, 'written')
  expect((await browser.submit(action, { ...fields, '-token': token })).status).toBe(303)
  expect((await storedPost(id)).title).toBe('Kept')
})

test('who is somebody else by now finds it, and sends it as whom they sign in: 403', async () => {
  const { id } = await addPost(api.db, { title: 'Before' })
  const { send, token } = await formOf(users.member3, `/posts/${id}`, 'update')
  const { cookie } = await browser.signIn(users.admin)
  const { status, text } = await send({ [title]: 'Kept' }, { Cookie: cookie })
  expect([status, writtenIn(text), (await storedPost(id)).title]).toEqual([403, [['Title', 'Kept']], 'Before'])
  const { action, fields } = formIn(text, 'written')
  const answer = await browser.submit(action, { ...fields, '-token': token }, { Cookie: cookie })
  expect([answer.status, (await storedPost(id)).title]).toEqual([303, 'Kept'])
})

describe('a form about what was deleted meanwhile: 404', () => {
  test('shows what was written below the error, and the way to the collection', async () => {
    const { id } = await addPost(api.db)
    const { send } = await formOf(users.member3, `/posts/${id}`, 'update')
    await api.db.post.delete({ where: { id } })
    const { status, text } = await send({ [title]: 'For <nothing>' })
    expect([status, writtenIn(text)]).toEqual([404, [['Title', 'For &lt;nothing&gt;']]])
    expect(text).toContain('<p role="alert">There is nothing at this address that you may see.</p>')
    expect(text).toContain('<a href="/api/v1/posts">Posts</a>')
    expect(text).not.toContain('written-token')
  })

  test('shows the ids that a relationship was to hold', async () => {
    const { id } = await addPost(api.db)
    const { send } = await formOf(users.admin, `/posts/${id}/relationships/tags`, 'attach')
    await api.db.post.delete({ where: { id } })
    const { status, text } = await send({ 'many tags:/data': '1, 2' })
    expect([status, writtenIn(text)]).toEqual([404, [['Tags', '1, 2']]])
  })
})

describe('a form of somebody who may not send it any more: 403', () => {
  const handOver = (id: number) => api.db.post.update({ where: { id }, data: { authorId: users.admin } })

  test('is gone from the page of what it would have changed, which shows what was written', async () => {
    const { id } = await addPost(api.db, { title: 'Before' })
    const { send } = await formOf(users.member3, `/posts/${id}`, 'update')
    await handOver(id)
    const { status, text } = await send({ [title]: 'After <all>', [content]: 'One.\r\nTwo.' })
    expect([status, alertIn(text), writtenIn(text), text.includes('id="update"')]).toEqual([
      403,
      'Forbidden',
      [
        ['Title', 'After &lt;all&gt;'],
        ['Content', 'One.\r\nTwo.'],
      ],
      false,
    ])
    expect([text.includes('<h1>Before</h1>'), text.includes('written-token')]).toEqual([true, false])
    expect((await storedPost(id)).title).toBe('Before')
  })

  test('is there again with the fields that are left, and shows what was written into others', async () => {
    const [name, email] = ['name', 'email'].map((each) => `string:/data/attributes/${each}`) as [string, string]
    const admin = { name: 'Before', email: 'before@example.com', passwordHash: 'none', role: 'ADMIN' } as const
    const { id, updatedAt } = await api.db.user.create({ data: admin })
    const { send } = await formOf(id, `/users/${id}`, 'update')
    await api.db.user.update({ where: { id }, data: { role: 'MEMBER', updatedAt } })
    const { status, text } = await send({ [name]: 'After', [email]: 'after@example.com' })
    const { fields } = formIn(text, 'update')
    expect([status, writtenIn(text), fields[name], email in fields]).toEqual([
      ...[403, [['Email', 'after@example.com']], 'After', false],
    ])
  })

  test('shows the ids that a relationship was to hold', async () => {
    const { id } = await addPost(api.db)
    const { send } = await formOf(users.member3, `/posts/${id}/relationships/tags`, 'attach')
    await handOver(id)
    const { status, text } = await send({ 'many tags:/data': '1, 2' })
    expect([status, writtenIn(text)]).toEqual([403, [['Tags', '1, 2']]])
  })
})

describe('a form that is too large: 413', () => {
  const long = `${'a'.repeat(1_100_000)}é&`

  test('is shown again with all of it where it creates', async () => {
    const { send } = await formOf(users.member3, '/posts?-new=', 'create')
    const { status, text } = await send({
      'string!:/data/attributes/title': 'Long',
      'string!:/data/attributes/content': long,
    })
    expect([status, alertIn(text)]).toEqual([413, 'Payload Too Large'])
    const { fields } = formIn(text, 'create')
    expect([fields['string!:/data/attributes/title'], fields['string!:/data/attributes/content'] === long]).toEqual([
      ...['Long', true],
    ])
  })

  test('is shown again with all of it where it updates', async () => {
    const { id } = await addPost(api.db)
    const { send } = await formOf(users.member3, `/posts/${id}`, 'update')
    const { status, text } = await send({ [content]: long })
    expect([status, alertIn(text), formIn(text, 'update').fields[content] === long]).toEqual([
      ...[413, 'Payload Too Large', true],
    ])
  })

  test('has an end: what no document could be made of is not read', async () => {
    const { id } = await addPost(api.db)
    const { send } = await formOf(users.member3, `/posts/${id}`, 'update')
    const { status, text } = await send({ [content]: 'a'.repeat(4_400_000) })
    expect([status, alertIn(text), text.length < 100_000]).toEqual([413, 'Payload Too Large', true])
  })
})

describe('the length of a form', () => {
  const servers = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [openServer('short', { Tag: Schema<'Tag'> }, { limits: { bodyBytes: 600 } })],
  }))

  test('is that of the document which it becomes: letters that a form writes in six bytes are two there', async () => {
    const create = async (name: string) => {
      const response = await fetch(`${servers.at}/api/short/tags?-new=`, {
        ...{ method: 'POST', redirect: 'manual', headers: { Accept: browserAccept } },
        body: new URLSearchParams({ 'string!:/data/attributes/name': name }),
      })
      return [response.status, await servers.db.tag.count({ where: { name } })]
    }
    expect(await create('é'.repeat(200))).toEqual([303, 1])
    expect(await create('é'.repeat(300))).toEqual([413, 0])
  })
})
