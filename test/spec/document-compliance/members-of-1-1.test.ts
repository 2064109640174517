import { describe, expect, test } from 'vitest'
import { expectErrorsOf11, nonCompliant } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { identifier, jsonapi } from '../../support/row-documents.ts'

const api = useApi()
const admin = api.as(users.admin)

const tag = (name: string, more: object = {}) => ({ data: { type: 'tags', ...more, attributes: { name } } })

describe('a local id', () => {
  test('may be sent with a new resource, whose id is the server’s', async () => {
    const { status, body } = await admin.post('/api/v2/tags', { body: tag('with a lid', { lid: 'mine' }) })
    const row = await api.db.tag.findUniqueOrThrow({ where: { name: 'with a lid' } })
    expect({ status, id: body.data.id, lid: body.data.lid }).toEqual({
      status: 201,
      id: String(row.id),
      lid: undefined,
    })
  })

  test.each([
    [7, 'The member lid must be a string.'],
    [null, 'The member lid must be a string.'],
    ['', 'The member lid cannot be empty.'],
  ])('%j is none', async (lid, detail) => {
    const answer = await admin.post('/api/v2/tags', { body: tag('never', { lid }) })
    expectErrorsOf11(answer, nonCompliant(detail, '/data/lid'))
    expect(await api.db.tag.count({ where: { name: 'never' } })).toBe(0)
  })

  test('is a member that 1.0 does not know, and so ignored there', async () => {
    const { status, body } = await admin.post('/tags', { body: tag('on 1.0', { lid: 7 }) })
    expect({ status, jsonapi: body.jsonapi }).toEqual({ status: 201, jsonapi })
  })
})

test.each(['/api/v1', '/api/v2'])(
  '@-members, and those that nobody defined, are ignored all over a document of %s',
  async (base) => {
    const isFirst = base === '/api/v1'
    const title = `Annotated on ${base}`
    const sent = {
      '@context': { any: 'thing' },
      unknown: 1,
      data: {
        '@id': 'x',
        unknown: 1,
        type: 'posts',
        attributes: {
          '@type': 'x',
          title,
          slug: isFirst ? 'annotated' : 'annotated-too',
          [isFirst ? 'content' : 'body']: 'C',
        },
        relationships: {
          '@graph': 1,
          tags: { '@list': [], unknown: 1, data: [{ '@id': 'x', unknown: 1, ...identifier('tags', 2) }] },
        },
        links: { self: 'https://example.org', '@x': 1 },
      },
    }
    const { status, body } = await admin.post(`${base}/posts?include=tags`, { body: sent })
    expect({ status, title: body.data.attributes.title, tags: body.data.relationships.tags.data }).toEqual({
      status: 201,
      title,
      tags: [identifier('tags', 2)],
    })
    expect(JSON.stringify(body)).not.toContain('@')
    const linkage = { '@x': 1, data: [{ '@id': 'x', ...identifier('tags', 3) }] }
    const replaced = await admin.patch(`${base}/posts/${body.data.id}/relationships/tags`, { body: linkage })
    expect({ status: replaced.status, data: replaced.body.data }).toEqual({
      status: 200,
      data: [identifier('tags', 3)],
    })
  },
)
