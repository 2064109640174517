import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, browserOf, formIn, tagOf } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// Filters as sentences: a field, a few words, a value.

const api = useApi()
const browser = browserOf(api)
const pageOf = async (path: string) => (await browser.send(path)).text
const chipsIn = (text: string) =>
  [...text.matchAll(/<a class="chip" href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, words]) => [
    words,
    decodeURIComponent((href as string).replaceAll('&amp;', '&')),
  ])

describe('a filter in force is a chip, which takes it out', () => {
  test('in words, with what resources are called', async () => {
    const { cookie } = await browser.signIn(users.admin)
    const search = 'filter[author]=3,4&filter[publishedAt][isNull]=false&filter[title][contains]=5&page[number]=1'
    const { text } = await browser.send(`/posts?${search}`, { headers: { Cookie: cookie } })
    expect(chipsIn(text)).toEqual([
      ['Author is Member 3 or Member 4', '/api/v1/posts?filter[publishedAt][isNull]=false&filter[title][contains]=5'],
      ['Published at is not empty', '/api/v1/posts?filter[author]=3,4&filter[title][contains]=5'],
    ])
    // Which stands in the search box already.
    expect(text).toContain('name="filter[title][contains]" value="5"')
  })

  test('by their ids to who may not see them', async () => {
    expect(chipsIn(await pageOf('/posts?filter[author]=3')).map(([words]) => words)).toEqual(['Author is user 3'])
  })

  test('in groups and behind relations, too', async () => {
    const text = await pageOf('/posts?filter[or][0][title]=One&filter[or][1][author.name]=Ann&filter[not][0][slug]=x')
    expect(chipsIn(text).map(([words]) => words)).toEqual(['Title is One', 'Author › Name is Ann', 'not: Slug is x'])
    expect(text).toContain('<span class="join">or</span>')
  })
})

describe('a sentence', () => {
  const operatorsIn = (text: string) => {
    const [select = ''] = /<select name="-operator".*?<\/select>/s.exec(text) ?? []
    return [...select.matchAll(/<option value="([^"]*)">([^<]*)/g)].map(([, value, words]) => `${value} ${words}`)
  }

  test('has the operators and the control of its field', async () => {
    expect(operatorsIn(await pageOf('/posts?-field=publishedAt'))).toEqual([
      'gte is at or after',
      'gt is after',
      'lt is before',
      'lte is at or before',
      'equals is',
      'not is not',
      'in is one of',
      'notIn is none of',
      'isNull:true is empty',
      'isNull:false is not empty',
    ])
    expect(await pageOf('/posts?-field=publishedAt')).toContain('type="datetime-local"')
    expect(operatorsIn(await pageOf('/videos?-field=featured'))).toEqual([' is'])
    expect(tagOf(await pageOf('/videos?-field=featured'), 'select name="-value"')).not.toBeNull()
    expect(operatorsIn(await pageOf('/posts?-field=author'))).toEqual([
      ' is',
      'not is not',
      'notIn is none of',
      'exists:true is there',
      'exists:false is not there',
    ])
  })

  test('offers what a relation leads to by its labels, to who may list them', async () => {
    const { cookie } = await browser.signIn(users.admin)
    const { text } = await browser.send('/posts?-field=author', { headers: { Cookie: cookie } })
    expect(text).toContain('<option value="3">Member 3</option>')
    expect(text).toContain('data-search="/api/v1/users?fields[users]=name&amp;filter[name][contains]="')
    expect(await pageOf('/posts?-field=author')).not.toContain('Member 3</option>')
  })

  const sentTo = async (fields: readonly (readonly [string, string])[], before = '') => {
    const sent = new URLSearchParams(before)
    for (const [name, value] of [['-form', '1'] as const, ...fields]) sent.append(name, value)
    const { headers } = await browser.send(`/posts?${sent}`)
    return decodeURIComponent(headers.get('Location') as string).slice('/api/v1/posts'.length)
  }

  test('becomes a parameter of the API', async () => {
    const field = ['-field', 'publishedAt'] as const
    expect(await sentTo([field, ['-operator', 'isNull:true'], ['-value', '']])).toBe(
      '?filter[publishedAt][isNull]=true',
    )
    const at = [field, ['-kind', 'datetime'], ['-operator', 'gte'], ['-value', '2024-01-02T03:04']] as const
    expect(await sentTo(at)).toBe('?filter[publishedAt][gte]=2024-01-02T03:04Z')
    const several = [
      ['-field', 'role'],
      ['-operator', ''],
      ['-value', 'ADMIN'],
      ['-value', 'EDITOR'],
    ] as const
    expect(await sentTo(several)).toBe('?filter[role]=ADMIN,EDITOR')
    expect(await sentTo([field, ['-operator', 'gte'], ['-value', ' ']])).toBe('')
  })

  test('is joined with the others by and, or by or', async () => {
    const title = [
      ['-field', 'title'],
      ['-operator', 'contains'],
      ['-value', 'x'],
    ] as const
    expect(await sentTo(title, 'filter[slug]=y')).toBe('?filter[slug]=y&filter[title][contains]=x')
    expect(await sentTo([...title, ['-join', 'or']], 'filter[slug]=y&sort=id')).toBe(
      '?sort=id&filter[or][0][slug]=y&filter[or][1][title][contains]=x',
    )
    expect(await sentTo([...title, ['-join', 'or']], 'filter[or][0][slug]=y&filter[or][1][slug]=z')).toBe(
      '?filter[or][0][slug]=y&filter[or][1][slug]=z&filter[or][2][title][contains]=x',
    )
    expect(await sentTo([...title, ['-join', 'or']])).toBe('?filter[title][contains]=x')
  })
})

describe('a filter that is added by the forms of a page', () => {
  /** Chooses a field and writes a filter, as a reader does who is asked for each. */
  const reader = async (base = '/api/v1') => {
    const { cookie } = await browser.signIn(users.admin, base)
    const send = (path: string) => browser.send(path, { headers: { Cookie: cookie } })
    const formAt = async (path: string, field: string) => {
      const { text } = await send(`${path}${path.includes('?') ? '&' : '?'}-field=${field}`)
      const { fields } = formIn(text, 'sentence')
      expect(fields).toHaveProperty('-operator')
      return fields
    }
    return {
      send,
      formAt,
      async narrow(path: string, field: string, written: Readonly<Record<string, string>>) {
        const fields = await formAt(path, field)
        // Boxes without a tick send nothing.
        for (const name of Object.keys(written)) if (name !== '-value') expect(fields).toHaveProperty(name)
        const { headers } = await send(`${base}/posts?${new URLSearchParams({ ...fields, ...written })}`)
        return decodeURIComponent(headers.get('Location') ?? '').replaceAll('+', ' ')
      },
    }
  }
  const joinsIn = (text: string) =>
    [...text.matchAll(/<a class="chip"[^>]*>([^<]*)|<span class="join">([^<]*)/g)].map(([, chip, join]) => chip ?? join)
  const titled = async (path: string) => {
    const { body } = await api.as(users.admin).get(`${path.replace('/api/v1', '')}&sort=title&fields[posts]=title`)
    return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
  }

  test('is joined with all that are there', async () => {
    const rows = { 'join 1': 'A', 'join 2': null, 'join 3': 'B', 'join 4': null, 'join 5': 'C' }
    for (const [title, synopsis] of Object.entries(rows)) await addPost(api.db, { title, synopsis })
    const { narrow, send } = await reader()
    const start = '/api/v1/posts?filter[title]=join 1'
    const either = await narrow(start, 'title', { '-operator': 'equals', '-value': 'join 2', '-join': 'or' })
    const known = await narrow(either, 'synopsis', { '-operator': 'isNull:false', '-value': '', '-join': 'and' })
    expect(await titled(known)).toEqual(['join 1'])
    const all = await narrow(known, 'title', { '-operator': 'equals', '-value': 'join 4', '-join': 'or' })
    expect(all).toBe(
      '/api/v1/posts?filter[or][0][or][0][title]=join 1&filter[or][0][or][1][title][equals]=join 2&filter[or][0][synopsis][isNull]=false&filter[or][1][title][equals]=join 4',
    )
    expect(await titled(all)).toEqual(['join 1', 'join 4'])
    const more = await narrow(all, 'title', { '-operator': 'equals', '-value': 'join 5', '-join': 'or' })
    expect(await titled(more)).toEqual(['join 1', 'join 4', 'join 5'])
    expect(joinsIn((await send(more)).text)).toEqual([
      ...['Title is join 1', 'or', 'Title is join 2', 'and', 'Synopsis is not empty'],
      ...['or', 'Title is join 4', 'or', 'Title is join 5'],
    ])
  })

  test('takes the place of no other one of the same field', async () => {
    for (const title of ['two words: sea, ship', 'two words: sea', 'two words: ship']) await addPost(api.db, { title })
    const { narrow, send } = await reader()
    const contains = (text: string) => ({ '-operator': 'contains', '-value': text })
    const first = await narrow('/api/v1/posts', 'title', contains('two words'))
    const second = await narrow(first, 'title', contains('sea'))
    const third = await narrow(second, 'title', contains('ship'))
    expect(third).toBe(
      '/api/v1/posts?filter[title][contains]=two words&filter[and][0][title][contains]=sea&filter[and][1][title][contains]=ship',
    )
    expect(await titled(third)).toEqual(['two words: sea, ship'])
    expect(joinsIn((await send(third)).text)).toEqual([...['Title contains sea', 'and', 'Title contains ship']])
  })

  test('is joined with conditions alone: which of the deleted rows are shown stands in no group', async () => {
    await addPost(api.db, { title: 'gone 1', deletedAt: new Date() })
    await addPost(api.db, { title: 'gone 2', deletedAt: new Date() })
    await addPost(api.db, { title: 'gone 3' })
    const { narrow, formAt, send } = await reader('/api/v2')
    const [one, two] = ['gone 1', 'gone 2'].map((title) => ({ '-operator': 'equals', '-value': title }))
    const only = await narrow('/api/v2/posts', 'trashed', { '-value': 'only' })
    expect(Object.keys(await formAt(only, 'title'))).not.toContain('-join')
    const first = await narrow(only, 'title', { ...one })
    expect(Object.keys(await formAt(first, 'trashed'))).not.toContain('-join')
    expect(joinsIn((await send(first)).text)).toEqual(['In the bin', 'Title is gone 1'])
    const both = await narrow(first, 'title', { ...two, '-join': 'or' })
    expect(both).toBe(
      '/api/v2/posts?filter[trashed]=only&filter[or][0][title][equals]=gone 1&filter[or][1][title][equals]=gone 2',
    )
    expect(await titled(both)).toEqual(['gone 1', 'gone 2'])
    expect(await narrow(both, 'trashed', { '-value': 'with' })).toBe(both.replace('only', 'with'))
  })
})

describe('a filter of the application that is called search', () => {
  class TagSchema extends Schema<'Tag'> {
    override filters() {
      return [this.filter('search', { where: (text) => ({ name: { contains: text } }) })]
    }
  }
  const servers = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [openServer('searched', { Tag: TagSchema })],
  }))

  test('is a search box', async () => {
    const response = await fetch(`${servers.at}/api/searched/tags?filter[search]=n&sort=name`, {
      headers: { Accept: browserAccept },
    })
    const text = await response.text()
    expect(text).toContain(
      '<input type="search" name="filter[search]" value="n" aria-label="Search tags" placeholder="Search tags">',
    )
    expect(text).toContain('<input type="hidden" name="sort" value="name">')
    expect(await pageOf('/tags')).not.toContain('name="filter[search]"')
  })
})
