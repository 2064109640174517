import { Policy, type Rules, Schema, type User } from 'prismapi'
import type { ResourcePage } from 'prismapi/features'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import V2 from '../../../src/app/v2/server.ts'
import { authSecret, useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, browserOf, formIn, tagOf } from '../../support/pages.ts'
import { addPost, addUser } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// The page of one resource: what its reader may do and why not, messages with a way back, and forms, without a script.

const api = useApi()
const browser = browserOf(api)
const as = async (userId: number, base = '/api/v1') => {
  const { cookie } = await browser.signIn(userId, base)
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
  const page = async (path: string) => (await browser.send(path, { headers })).text
  /** Sends the only form of a part of a page, and goes on to where that leads. */
  const press = async (part: string) => {
    const { action, fields } = formIn(`<i id="it">${part}`, 'it')
    const { status, headers: answered } = await browser.submit(action, fields, { Cookie: cookie })
    expect(status).toBe(303)
    return page(answered.get('Location') as string)
  }
  return { page, press, cookie }
}
/** What a page says that its reader has done, with its button. */
const messageIn = (text: string) => /<div class="done" role="status">.*?<\/div>/s.exec(text)?.[0] ?? ''
const permission = (text: string, title: string) => {
  const lines = text.split(/(?=<li>|<p class="allowed">)/).filter((each) => each.includes('class="mark'))
  const titlesIn = (line: string) => /<(?:div|span)>([^<]+)/.exec(line)?.[1]?.split(', ') ?? []
  const line = lines.find((each) => titlesIn(each).includes(title)) ?? ''
  return {
    answer: /<span class="mark(?: \w+)?">([^<]+)/.exec(line)?.[1],
    why: [...line.matchAll(/<p>([^<]*)<\/p>/g)].map(([, said]) => said),
    rules: [...line.matchAll(/<p class="rule">(?:<code>(.*?)<\/code> )?<small>(.*?)<\/small>/g)].map(
      ([, ...all]) => all,
    ),
  }
}

describe('the permissions of a resource', () => {
  test('say no with the rule that says so, its file and its line', async () => {
    const { id } = await addPost(api.db, { authorId: users.member4 })
    const { page } = await as(users.member3)
    const text = await page(`/posts/${id}?-tab=permissions`)
    expect(text).toContain('<span class="mark yes">yes</span><span>See it, its author, tags and comments</span>')
    const rule =
      'can([&#39;update&#39;, &#39;delete&#39;, &#39;detachTags&#39;, &#39;publish&#39;], editsAll(user) ? {} : { authorId: user.id })'
    expect(permission(text, 'Update')).toEqual({
      answer: 'no',
      why: ['You may not do this with this record.'],
      rules: [[rule, expect.stringMatching(/^policies\/post\.policy\.ts:\d+$/)]],
    })
    expect(permission(text, 'Change author')).toEqual({
      answer: 'no',
      why: ['Only an administrator may hand a post to another author.'],
      rules: [
        [
          expect.stringContaining('cannot(&#39;updateAuthor&#39;)'),
          expect.stringMatching(/^policies\/post\.policy\.ts:\d+$/),
        ],
      ],
    })
    const tags = permission(text, 'Add and remove existing tags')
    expect(tags.rules).toContainEqual(['attachTags()', expect.stringMatching(/^policies\/post\.policy\.ts:\d+$/)])
    // What one thing denies is one line, and adding is a part of changing.
    expect(text).toContain('<div>Add and remove existing tags<div class="why">')
    expect(permission(text, 'Add and remove existing comments')).toEqual({
      ...{ answer: 'no', why: ['Your account may not do this.'] },
      rules: [[undefined, 'policies/post.policy.ts']],
    })
    expect(text).not.toMatch(/Add (?:to|existing)|Remove from (?!tags)/)
  })

  test('are told to editors in sentences: code and files are folded', async () => {
    const { id } = await addPost(api.db, { authorId: users.member4 })
    const { page } = await as(users.member3)
    const text = (await page(`/posts/${id}?-tab=permissions`)).split('class="permissions card"')[1] ?? ''
    const [shown = ''] = text.split('</main>')
    const open = shown.replace(/<details class="where"><summary>Where this is decided<\/summary>.*?<\/details>/gs, '')
    expect(shown).toContain('policies/post.policy.ts:')
    expect(open).not.toMatch(/<code>|policies\/|\(\)|unauthorized/)
    const { text: asGuest } = await browser.send(`/api/v1/posts/1?-tab=permissions`)
    expect(permission(asGuest, 'Update').why).toEqual(['Guests may not do this.'])
  })

  test('lead to a page that says what it changes', async () => {
    const { page } = await as(users.admin)
    expect(await page('/posts/1/relationships/tags')).toContain('<h1>Edit tags of Post 1</h1>')
  })

  test('say what the API says: a rule about deletes is one of them', async () => {
    const { id } = await addPost(api.db)
    await api.db.comment.create({ data: { content: 'Stays.', authorId: users.member3, postId: id } })
    const refused = await api.as(users.editor).delete(`/posts/${id}`)
    expect(refused.status).toBe(422)
    const { page } = await as(users.editor)
    const told = await page(`/posts/${id}?-tab=permissions`)
    expect(permission(told, 'Delete')).toEqual({
      answer: 'no',
      why: [refused.body.errors[0].detail],
      rules: [['deleteRules()', expect.stringMatching(/^requests\/post\.request\.ts:\d+$/)]],
    })
    // Every tab says it below the button, and leads to the page that shows what is in the way.
    const headOf = (text: string) => /<div class="head">.*?<nav class="tabs"/s.exec(text)?.[0]
    for (const tab of ['', '?-tab=related', '?-tab=permissions']) {
      const details = await page(`/posts/${id}${tab}`)
      expect(headOf(details)).toBe(headOf(told))
      expect(details).toContain('<details class="menu controls" id="view"><summary class="button">Fields</summary>')
      expect(details).toContain('<button id="delete" disabled aria-describedby="kept">Delete</button>')
      expect(details).toContain(
        `<p class="kept-by" id="kept"><a href="/api/v1/posts/${id}?-delete=true">${refused.body.errors[0].detail}</a></p>`,
      )
    }
    await api.db.comment.deleteMany({ where: { postId: id } })
    expect(await page(`/posts/${id}`)).toContain(`id="delete" href="/api/v1/posts/${id}?-delete=true"`)
    const free = await page(`/posts/${id}?-tab=permissions`)
    expect(permission(free, 'Delete').answer).toBe('yes')
    expect(free).toContain(`id="delete" href="/api/v1/posts/${id}?-delete=true"`)
  })

  test('say that an action cannot be done with the row as it is, which the page does not offer then', async () => {
    const { id } = await addPost(api.db, { publishedAt: new Date(0) })
    const refused = await api.as(users.admin).request('POST', `/api/v1/posts/${id}/-actions/publish`)
    const { page } = await as(users.admin)
    expect(permission(await page(`/posts/${id}?-tab=permissions`), 'Publish')).toEqual({
      ...{ answer: 'no', rules: [] },
      why: [refused.body.errors[0].detail],
    })
    expect(await page(`/posts/${id}`)).not.toContain('id="action-publish"')
    await api.db.post.update({ where: { id }, data: { publishedAt: null } })
    expect(permission(await page(`/posts/${id}?-tab=permissions`), 'Publish').answer).toBe('yes')
    expect(await page(`/posts/${id}`)).toContain('id="action-publish"')
  })

  test('stand in groups: first what may not be, then the rest in a line', async () => {
    const { id } = await addPost(api.db, { authorId: users.member4 })
    const { page } = await as(users.member3)
    const text = await page(`/posts/${id}?-tab=permissions`)
    const groups = [...text.matchAll(/<h3>([^<]+)<\/h3>(.*?)(?=<h3>|<\/section>)/gs)].map(([, title, part = '']) => [
      ...[title, part.split('<li>').length - 1 > 0, /class="allowed"/.test(part)],
    ])
    expect(groups).toEqual([
      ['Reading', false, true],
      ['Writing', true, false],
      ['Actions', true, false],
      ['Relations', true, false],
    ])
  })

  test('count rows that the database keeps', async () => {
    const { page } = await as(users.admin)
    const text = await page(`/users/${users.member3}?-tab=permissions`)
    const { status } = await api.as(users.admin).delete(`/users/${users.member3}`)
    expect(permission(text, 'Delete').answer).toBe(status === 204 ? 'yes' : 'no')
  })

  test('say of rows that the page shows anyway that the database keeps it', async () => {
    const user = await addUser(api.db)
    const { page } = await as(users.admin)
    const button = async () =>
      /<(?:button|a) [^>]*id="delete".*?class="tabs"/s.exec(await page(`/users/${user.id}`))?.[0]
    expect(await button()).toMatch(/^<a class="button bad"/)
    const { id } = await addPost(api.db, { authorId: user.id })
    expect(await button()).toContain('disabled aria-describedby="kept"')
    expect(await button()).toContain('>Posts refer to it.</a>')
    await api.db.post.delete({ where: { id } })
    await api.db.user.delete({ where: { id: user.id } })
  })
})

describe('in production', () => {
  const servers = useServers(async () => ({
    ...(await exampleWith(
      class extends V2 {
        override readonly browsable = true
      },
    )),
    production: true,
  }))

  test('the sentence alone is told', async () => {
    const { id } = await addPost(servers.db, { authorId: users.member4 })
    const authorization = async (userId: number) => `Bearer ${await signToken(userId, authSecret)}`
    const other = browserOf({ url: (path) => servers.at + path, authorization })
    const { cookie } = await other.signIn(users.member3, '/api/v2')
    const { text } = await other.send(`/api/v2/posts/${id}?-tab=permissions`, { headers: { Cookie: cookie } })
    expect(permission(text, 'Update')).toEqual({
      answer: 'no',
      why: ['You may not do this with this record.'],
      rules: [],
    })
    expect(text).not.toContain('policies/')
  })
})

describe('what was written ends in a message', () => {
  test('a tag that was taken out comes back', async () => {
    const { id } = await addPost(api.db, { tags: { create: [{ name: 'taken out' }] } })
    const { page, press } = await as(users.admin)
    const tags = () => api.db.tag.count({ where: { posts: { some: { id } } } })
    const chip = /<li><a [^>]*>taken out<\/a>.*?<\/li>/s.exec(await page(`/posts/${id}`))?.[0] ?? ''
    expect(tagOf(chip, 'button')).toContain('aria-label="Remove taken out"')
    const removed = await press(chip)
    expect([messageIn(removed).includes('Removed.'), await tags()]).toEqual([true, 0])
    const again = await press(messageIn(removed))
    expect([messageIn(again).includes('Added.'), await tags()]).toEqual([true, 1])
  })

  test('what was deleted softly comes back, by the message and by the bin', async () => {
    const { id } = await addPost(api.db, { title: 'Out of the bin' })
    const { page, press } = await as(users.editor, '/api/v2')
    const isThere = async () => (await api.db.post.findUniqueOrThrow({ where: { id } })).deletedAt === null
    const asked = await page(`/api/v2/posts/${id}?-delete=true`)
    const deleted = await press(asked.slice(asked.indexOf('<form class="asks"')))
    expect([messageIn(deleted).includes('Deleted: Out of the bin'), await isThere()]).toEqual([true, false])
    const again = await press(messageIn(deleted))
    expect([messageIn(again).includes('Restored.'), await isThere()]).toEqual([true, true])
    await api.as(users.editor).request('DELETE', `/api/v2/posts/${id}`)
    const bin = await page('/api/v2/posts?filter[trashed]=only')
    const line = bin.split('<tr>').find((each) => each.includes('Out of the bin')) ?? ''
    expect(line).toContain('<button>Restore</button>')
    expect(messageIn(await press(line))).toContain('Restored.')
    expect(await isThere()).toBe(true)
    await api.as(users.editor).request('DELETE', `/api/v2/posts/${id}`)
    const own = await page(`/api/v2/posts/${id}`)
    expect(own).toContain('This is in the bin.')
    await press(/<div class="note bin".*?<\/form>/s.exec(own)?.[0] ?? '')
    expect(await isThere()).toBe(true)
  })

  test('only a page of this server leads to one', async () => {
    const { cookie } = await as(users.member3)
    for (const site of ['cross-site', 'none', 'same-site']) {
      const { text } = await browser.send('/posts?-did=delete+1', {
        headers: { Cookie: cookie, 'Sec-Fetch-Site': site },
      })
      expect([site, messageIn(text)]).toEqual([site, ''])
    }
  })

  const audited = useServers(async () => {
    class Audited extends V2 {
      override readonly browsable = true
      override readonly live = { trail: true }
    }
    class ChangePolicy extends Policy {
      override abilities({ can }: Rules, user: User | null) {
        if (user) can(this.reads)
      }
    }
    const parts = await exampleWith(Audited)
    return { ...parts, policies: new Map([...(parts.policies as never), ['Change', ChangePolicy]]) as never }
  })

  test('a change is taken back by who made it, and an older one from the history', async () => {
    const { id } = await addPost(audited.db, {
      title: 'First',
      synopsis: null,
      publishedAt: new Date('2024-01-02T03:04:05Z'),
    })
    const authorization = async (userId: number) => `Bearer ${await signToken(userId, authSecret)}`
    const other = browserOf({ url: (path) => audited.at + path, authorization })
    const { cookie } = await other.signIn(users.admin, '/api/v2')
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
    const page = async (path: string) => (await other.send(path, { headers })).text
    const submit = async (part: string, changes = {}) => {
      const { action, fields } = formIn(`<i id="it">${part}`, 'it')
      const answer = await other.submit(action, { ...fields, ...changes }, { Cookie: cookie })
      expect(answer.status).toBe(303)
      return page(answer.headers.get('Location') as string)
    }
    const stored = async () => {
      const { title, synopsis, publishedAt } = await audited.db.post.findUniqueOrThrow({ where: { id } })
      return [title, synopsis, publishedAt?.toISOString()]
    }
    const edit = async (changes: object) =>
      submit((await page(`/api/v2/posts/${id}?-edit=true`)).split('id="update">')[1] as string, changes)
    const before = await stored()
    const saved = await edit({
      'string:/data/attributes/title': 'Second',
      'string?:/data/attributes/synopsis': 'Short.',
      'datetime?:/data/attributes/publishedAt': '2025-01-01T00:00',
    })
    expect(messageIn(saved)).toContain('<p>Saved.</p>')
    expect(await stored()).toEqual(['Second', 'Short.', '2025-01-01T00:00:00.000Z'])
    expect(messageIn(await submit(messageIn(saved)))).toContain('Restored.')
    expect(await stored()).toEqual(before)
    await edit({ 'string:/data/attributes/title': 'Third' })
    await audited.db.post.update({ where: { id }, data: { title: 'Of somebody else' } })
    expect(messageIn(await page(`/api/v2/posts/${id}?-did=save`))).not.toContain('<button>')
    const history = await page(`/api/v2/posts/${id}?-tab=history`)
    const line = history.split('<tr>').find((each) => each.includes('Third</ins>')) ?? ''
    expect(line).toContain('<div>Title: <del>First</del> → <ins>Third</ins></div>')
    await submit(line.slice(line.indexOf('<form')))
    expect((await stored())[0]).toBe('First')
  })
})

describe('the form that edits', () => {
  test('has the relations in it, and sends those that were touched', async () => {
    const tags = await Promise.all(
      ['kept', 'dropped', 'taken'].map((name) => api.db.tag.create({ data: { name: `edited ${name}` } })),
    )
    const [kept, dropped, taken] = tags.map(({ id }) => String(id)) as [string, string, string]
    const { id } = await addPost(api.db, {
      title: 'Related',
      tags: { connect: [{ id: Number(kept) }, { id: Number(dropped) }] },
    })
    const { page, cookie } = await as(users.admin)
    const text = await page(`/posts/${id}?-edit=true`)
    const { action, fields } = formIn(text, 'update')
    expect(fields['many tags:/data/relationships/tags/data']).toBe(`${dropped}, ${kept}`)
    expect(fields['one?! users:/data/relationships/author/data']).toBe(String(users.member3))
    expect(text).toContain('<output for="update-tags">edited dropped, edited kept</output>')
    const stored = () => api.db.post.findUniqueOrThrow({ where: { id }, include: { tags: { orderBy: { id: 'asc' } } } })
    const untouched = await stored()
    expect((await browser.submit(action, fields, { Cookie: cookie })).status).toBe(303)
    expect(await stored()).toEqual({ ...untouched, updatedAt: expect.any(Date) })
    const again = formIn(await page(`/posts/${id}?-edit=true`), 'update')
    const changed = {
      ...again.fields,
      'many tags:/data/relationships/tags/data': `${kept}, ${taken}`,
      'one?! users:/data/relationships/author/data': String(users.member4),
    }
    const { status, headers } = await browser.submit(again.action, changed, { Cookie: cookie })
    expect([status, headers.get('Location')]).toEqual([303, `/api/v1/posts/${id}?-did=save`])
    const after = await stored()
    expect([after.authorId, after.tags.map(({ name }) => name)]).toEqual([
      users.member4,
      ['edited kept', 'edited taken'],
    ])
    const emptied = formIn(await page(`/posts/${id}?-edit=true`), 'update')
    await browser.submit(
      emptied.action,
      { ...emptied.fields, 'many tags:/data/relationships/tags/data': '' },
      { Cookie: cookie },
    )
    expect((await stored()).tags).toEqual([])
  })

  test('says of a field that was refused what is wrong, with what was written in the others', async () => {
    const { id } = await addPost(api.db)
    const { page, cookie } = await as(users.admin)
    const { action, fields } = formIn(await page(`/posts/${id}?-edit=true`), 'update')
    const sent = { ...fields, 'many tags:/data/relationships/tags/data': '999999' }
    const { status, text } = await browser.submit(action, sent, { Cookie: cookie })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(tagOf(text, 'input id="update-tags"')).toContain('value="999999"')
  })
})

describe('a form that creates', () => {
  test('has what is required first, hints for people, and defaults', async () => {
    const { page } = await as(users.admin)
    const text = await page('/videos?-new=')
    const form = text.slice(text.indexOf('id="create"'))
    const [first = '', ...rest] = form.split('<details class="technical"><summary>More</summary>')
    const named = (part: string) => [...part.matchAll(/<label for="create-([^"]+)"/g)].map(([, name]) => name)
    expect(named(first)).toEqual(['title', 'url'])
    expect(named(rest.join())).toEqual(expect.arrayContaining(['durationSeconds', 'rating', 'featured']))
    // The id is for programs.
    expect(named(rest.join())).toContain('id')
    expect(form).not.toMatch(/2,?147,?483/)
    expect(form).toContain('0 to 5')
    expect(form).toMatch(
      /<select id="create-featured"[^>]*><option value="true">yes<\/option><option value="false" selected>/,
    )
  })

  test('has comments of the Prisma schema as sentences', async () => {
    const text = await (await as(users.admin)).page('/posts?-new=')
    expect(text).toContain('From when on everybody can read it. Empty for a draft. <span data-zone>UTC</span>')
    expect(text).not.toContain('Pattern')
  })
})

describe('what is not there, or not allowed,', () => {
  test('says so, and offers a way on', async () => {
    const { page } = await as(users.member3)
    const missing = await page('/posts/999999')
    expect(missing).toContain('<h1>Not found</h1>')
    expect(missing).toMatch(
      /<form[^>]* role="search" action="\/api\/v1\/posts"><input type="search" name="filter\[title\]\[i?contains\]"/,
    )
    expect(missing).toContain('href="/api/v1/posts">All Posts</a>')
    expect(await page('/nothing')).toContain('href="/api/v1">Home</a>')
  })

  test('says who asked, and how to ask as somebody else', async () => {
    const { page, cookie } = await as(users.member3)
    const { id } = await addPost(api.db, { authorId: users.member4 })
    const { action, fields } = formIn(await page('/posts?-new='), 'create')
    expect(action).toBeTruthy()
    const { status, text } = await browser.submit(
      `/posts/${id}`,
      { '-method': 'DELETE', '-seal': fields['-seal'] as string },
      { Cookie: cookie },
    )
    expect(status).toBe(403)
    expect(text).toContain('<h1>Not allowed</h1>')
    expect(text).toContain('You asked as Member 3.')
    const guest = await browser.submit(`/posts/${id}`, { '-method': 'DELETE' })
    expect([401, 403]).toContain(guest.status)
    expect(guest.text).toContain('You asked as a guest. Sign in, and try again.')
  })
})

describe('what an application declares', () => {
  class Posts extends Schema<'Post'> {
    override readonly preview = { content: 'markdown', synopsis: 'image', slug: 'file' } as const
  }
  const parts = openServer('shown', { Post: Posts })
  class Shown extends (parts.server as typeof V2) {
    override readonly pages = {
      blocks: {
        posts: ({ html, resource, urlOf, schema }: ResourcePage) =>
          html`<p class="own"><a href="${urlOf(schema, { 'filter[id]': resource.id })}">Seen by ${resource.id}: ${'<b>'}</a></p>`,
      },
    }
  }
  const servers = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [{ ...parts, server: Shown } as never],
  }))
  const pageOf = async (values: object) => {
    const { id } = await addPost(servers.db, values)
    const text = await (
      await fetch(`${servers.at}/api/shown/posts/${id}`, { headers: { Accept: browserAccept } })
    ).text()
    return { id, text }
  }

  test('is shown by its kind, and does nothing else', async () => {
    const content =
      '# One\n\n**two** <script>alert(1)</script> [bad](javascript:alert(2)) [good](https://example.org/?a=1&b=2)\n\n- a & b'
    const { text } = await pageOf({ content, synopsis: '/pictures/one.svg', slug: '/files/a%20report.pdf' })
    expect(text).toContain('<p class="h" role="heading" aria-level="3">One</p>')
    expect(text).toContain('<strong>two</strong>')
    expect(text).toContain('<a href="https://example.org/?a=1&amp;b=2" rel="noreferrer noopener">good</a>')
    expect(text).toContain('<li>a &amp; b</li>')
    expect(text).not.toMatch(/<script>|href="javascript/)
    expect(text).toContain('<img src="/pictures/one.svg"')
    expect(text).toContain('<a class="file" href="/files/a%20report.pdf" rel="noreferrer noopener">a report.pdf</a>')
  })

  test('stands on the page of its resource', async () => {
    const { id, text } = await pageOf({})
    expect(text).toContain(
      `<p class="own"><a href="/api/shown/posts?filter[id]=${id}">Seen by ${id}: &lt;b&gt;</a></p>`,
    )
  })
})
