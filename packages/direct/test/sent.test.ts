import { describe, expect, test } from 'vitest'
import { registryOf, schemaOfModel } from '../../../test/support/schemas.ts'
import { rowsInDocument } from '../src/kept-rows.ts'
import { resourceSent } from '../src/sent-document.ts'
import { inputSent, parametersSent } from '../src/sent-query.ts'

const post = schemaOfModel('Post')
const registry = registryOf(post)

describe('a query of the application', () => {
  const keysOf = (query: Parameters<typeof parametersSent>[2]) =>
    parametersSent(registry, post, query).map(({ key, value }) => `${key}=${value}`)

  test('is the parameters that a client would send', () => {
    const query = {
      filter: { title: { contains: 'ship' }, or: [{ synopsis: null }, { author: { name: 'Ann' } }] },
      sort: ['-createdAt', 'title'],
      include: ['author', 'tags'],
      fields: { Post: ['title'], User: undefined },
      page: { number: 2 },
    }
    expect(keysOf(query)).toEqual([
      'include=author,tags',
      'fields[posts]=title',
      'sort=-createdAt,title',
      'filter[title][contains]=ship',
      'filter[or][0][synopsis][isNull]=true',
      'filter[or][1][author.name]=Ann',
      'page[number]=2',
    ])
  })

  test('has dates, large numbers and bytes as documents have them', () => {
    const sent = inputSent({ since: new Date(0), size: 10n ** 20n, bytes: Buffer.from('a'), left: undefined })
    expect(sent.map(({ key, value }) => `${key}=${value}`)).toEqual([
      'since=1970-01-01T00:00:00.000Z',
      'size=100000000000000000000',
      'bytes=YQ==',
    ])
  })
})

test('a row of the application is the document that a client would send', () => {
  const fields = { title: 'One', createdAt: new Date(0), author: { id: '3', type: 'users' }, tags: [1, '2'] }
  expect(resourceSent(registry, post, { id: null, fields })).toEqual({
    data: {
      type: 'posts',
      attributes: { title: 'One', createdAt: '1970-01-01T00:00:00.000Z' },
      relationships: {
        author: { data: { type: 'users', id: '3' } },
        tags: {
          data: [
            { type: 'tags', id: '1' },
            { type: 'tags', id: '2' },
          ],
        },
      },
    },
  })
})

describe('a response that was kept', () => {
  const ann = { type: 'users', id: '3' }
  const document = {
    data: { type: 'posts', id: '1', attributes: { title: 'One' }, relationships: { author: { data: ann } } },
    included: [{ ...ann, attributes: { name: 'Ann' } }],
    meta: { seen: 1 },
  }

  test('has rows in the place of included identifiers', () => {
    expect(rowsInDocument({ status: 200, body: JSON.stringify(document) }, ['author'])).toEqual({
      rows: { type: 'posts', id: '1', title: 'One', author: { ...ann, name: 'Ann' } },
      meta: { seen: 1 },
    })
  })

  test('throws the errors of a failure again', () => {
    const errors = [{ status: '409', title: 'Conflict' }]
    expect(() => rowsInDocument({ status: 409, body: JSON.stringify({ errors }) }, [])).toThrow(
      expect.objectContaining({ status: 409, errors }),
    )
  })
})
