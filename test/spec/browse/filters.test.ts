import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, browserOf, tagOf } from '../../support/pages.ts'
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
      ['Title contains 5', '/api/v1/posts?filter[author]=3,4&filter[publishedAt][isNull]=false'],
    ])
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
    expect(text).toContain('<input type="search" name="filter[search]" value="n" aria-label="Search tags">')
    expect(text).toContain('<input type="hidden" name="sort" value="name">')
    expect(await pageOf('/tags')).not.toContain('type="search"')
  })
})
