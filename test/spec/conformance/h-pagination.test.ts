import { describe, expect, test } from 'vitest'
import { idsOf, parametersOf, useConformance, type Version, v1, v2 } from '../../support/conformance.ts'
import type { RawAnswer } from '../../support/raw.ts'

const server = useConformance()

/** A collection of each strategy, with the parameters of a page in its middle. */
const collections: readonly (readonly [string, Version, string, string])[] = [
  ['pages by number', v1, '/posts', 'size'],
  ['pages by number', v2, '/users', 'size'],
  ['simple pages', v1, '/videos', 'size'],
  ['simple pages', v2, '/videos', 'size'],
  ['pages beside a resource', v1, '/comments', 'limit'],
  ['pages beside a resource', v2, '/comments', 'limit'],
  ['pages by the profile of cursors', v2, '/posts', 'size'],
]

const linksOf = ({ body }: RawAnswer) => {
  const { self: _, related: __, ...links } = body.links
  return links as Readonly<Record<string, string | null>>
}

async function walk(version: Version, start: RawAnswer, side: 'next' | 'prev'): Promise<RawAnswer[]> {
  const pages = [start]
  for (let link = linksOf(start)[side]; link; ) {
    const page = await server.follow(version, link)
    pages.push(page)
    link = linksOf(page)[side]
    if (pages.length > 200) throw new Error('The client goes round in circles.')
  }
  return pages
}

describe.each(collections)('%s on the server $name, at %s', (_, version, path, size) => {
  const get = (query: string) => server.get(version, `${path}?${query}`)
  const first = () => get(`page[${size}]=4`)

  test('H1 H2 H5: the links are first, last, prev and next, and one that leads nowhere is null or absent', async () => {
    const pages = await walk(version, await first(), 'next')
    const names = ['first', 'last', 'next', 'prev']
    for (const page of pages) expect(Object.keys(linksOf(page)).filter((name) => !names.includes(name))).toEqual([])
    expect(linksOf(pages[0] as RawAnswer).prev ?? null).toBeNull()
    expect(linksOf(pages.at(-1) as RawAnswer).next ?? null).toBeNull()
  })

  test('H3: who follows next sees every resource once', async () => {
    const ids = (await walk(version, await first(), 'next')).flatMap(idsOf)
    const all = await walk(version, await get(`page[${size}]=100`), 'next')
    expect(ids).toEqual(all.flatMap(idsOf))
    expect(ids.length - new Set(ids).size).toBe(0)
    expect(ids.length).toBeGreaterThan(8)
  })

  test('H4: first and last can be fetched', async () => {
    const start = await first()
    for (const link of [linksOf(start).first, linksOf(start).last]) {
      if (link) expect((await server.follow(version, link)).status).toBe(200)
    }
    expect(idsOf(await server.follow(version, linksOf(start).first as string))).toEqual(idsOf(start))
  })

  test('H6: prev of page 2 is page 1', async () => {
    const start = await first()
    const second = await server.follow(version, linksOf(start).next as string)
    expect(idsOf(await server.follow(version, linksOf(second).prev as string))).toEqual(idsOf(start))
  })

  test('H7: links keep every other parameter', async () => {
    const type = path.slice(1)
    const sort = size === 'limit' ? '' : '&sort=-id'
    const start = await get(
      `page[${size}]=3&fields[${type}]=&filter[id][not]=999${sort}&include=`.replace(
        '999',
        path === '/videos' ? 'x' : '999',
      ),
    )
    for (const link of Object.values(linksOf(start)).filter((each) => each !== null)) {
      const { searchParams } = new URL(link)
      expect([
        searchParams.get(`fields[${type}]`),
        searchParams.get('include'),
        searchParams.get(`page[${size}]`),
      ]).toEqual(['', '', '3'])
      expect(searchParams.get('sort')).toBe(sort === '' ? null : '-id')
    }
  })

  test.each(['0', '-1', 'abc', '1.5', ''])('H8 H12: a size of "%s" is 400, and says which parameter', async (value) => {
    expect(parametersOf(await get(`page[${size}]=${value}`))).toEqual({ status: 400, parameters: [`page[${size}]`] })
  })

  test('H9 H10: so is a parameter that is unknown, and a place that is none', async () => {
    expect(parametersOf(await get('page[unknown]=1'))).toEqual({ status: 400, parameters: ['page[unknown]'] })
    const place = size === 'limit' || (version === v2 && path === '/posts') ? 'after' : 'number'
    expect(parametersOf(await get(`page[${place}]=nowhere`))).toEqual({ status: 400, parameters: [`page[${place}]`] })
  })

  test('H11: a huge size is 400', async () => {
    expect((await get(`page[${size}]=${'9'.repeat(30)}`)).status).toBe(400)
  })
})

describe.each([v1, v2])('on the server $name', (version) => {
  test('H13: beyond the end is an empty page', async () => {
    const { status, body } = await server.get(version, '/users?page[number]=99')
    expect({ status, data: body.data }).toEqual({ status: 200, data: [] })
  })

  test('H14: related and relationship URLs have pages, too', async () => {
    for (const path of ['/tags/2/posts', '/tags/2/relationships/posts']) {
      const start = await server.get(version, `${path}?page[size]=2`)
      const ids = (await walk(version, start, 'next')).flatMap(idsOf)
      const all = await server.get(version, `${path}?page[size]=100`)
      expect(idsOf(start)).toHaveLength(2)
      expect(ids).toEqual(idsOf(all))
    }
  })

  test('the links of a page inside of a relationship page its linkage', async () => {
    const whole = await server.get(version, '/tags/2/relationships/posts?page[size]=100')
    const { body } = await server.get(version, '/tags/2?include=posts&includePage[posts][size]=2')
    const { links, data } = body.data.relationships.posts
    expect(links.next).toContain('/tags/2/relationships/posts?')
    const next = await server.follow(version, links.next)
    const ids = [...data.map(({ id }: { id: string }) => id), ...idsOf(next)]
    expect(ids).toEqual(idsOf(whole).slice(0, ids.length))
    expect(ids.length).toBeGreaterThan(2)
  })

  test('N7: an unknown filter is 400', async () => {
    const answer = await server.get(version, '/posts?filter[nothing]=1')
    expect(parametersOf(answer)).toEqual({ status: 400, parameters: ['filter[nothing]'] })
  })
})
