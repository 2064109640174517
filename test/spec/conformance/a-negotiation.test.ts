import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { mediaType as MT, useConformance, type Version, v2, versions } from '../../support/conformance.ts'
import { snapshot } from '../../support/snapshot.ts'

const server = useConformance()
const unknown = 'https://example.com/unknown'
const atomic = 'https://jsonapi.org/ext/atomic'

/** The status, and what the answer says that it is. */
const accepting = async (version: Version, accept: string | null, path = '/tags/1') => {
  const { status, headers } = await server.send(version, 'GET', path, {
    headers: accept === null ? {} : { Accept: accept },
  })
  return { status, type: headers['content-type'] }
}

const tag = (name: string) => JSON.stringify({ data: { type: 'tags', attributes: { name } } })

/** Sends a document of that type, and says what was answered and whether something was written. */
async function sending(version: Version, type: string, [method, path, body]: readonly [string, string, string]) {
  const before = await snapshot(server.db)
  const { status } = await server.ask(version, method, path, { body, headers: { 'Content-Type': type } })
  return { status, isWritten: JSON.stringify(await snapshot(server.db)) !== JSON.stringify(before) }
}

const refused = { status: 415, isWritten: false }
let count = 0
const create = () => ['POST', '/tags', tag(`negotiated-${++count}`)] as const

describe.each(versions)('the server $name', (version) => {
  test('A1: the answer to the media type is the media type, without a charset', async () => {
    expect(await accepting(version, MT)).toEqual({ status: 200, type: MT })
  })

  test.each(['charset=utf-8', 'foo=bar', 'CharSet="utf-8"'])(
    'A2 A3: a Content-Type with %s is 415, and nothing is written',
    async (parameter) => expect(await sending(version, `${MT};${parameter}`, create())).toEqual(refused),
  )

  test.each([
    ['A7', 'PATCH', '/tags/2', JSON.stringify({ data: { type: 'tags', id: '2', attributes: { name: 'patched' } } })],
    ['A8', 'PATCH', '/posts/1/relationships/tags', JSON.stringify({ data: [] })],
  ])('%s: so it is for %s %s', async (_, ...request) => {
    expect(await sending(version, `${MT};charset=utf-8`, request)).toEqual(refused)
  })

  test('A4: a Content-Type with an extension that is not supported is 415', async () => {
    expect(await sending(version, `${MT};ext="${unknown}"`, create())).toEqual(refused)
  })

  test('A5: one foreign parameter beside a profile is enough', async () => {
    expect(await sending(version, `${MT};profile="${unknown}";charset=utf-8`, create())).toEqual(refused)
  })

  test.each([`${MT};charset=utf-8`, `${MT};foo="a, ${MT}"`, `${MT};a=1, ${MT};b=2`])(
    'A10 A11: Accept %s is 406',
    async (accept) => expect(await accepting(version, accept)).toEqual({ status: 406, type: MT }),
  )

  test('A12: instances with foreign parameters are ignored where a clean one remains', async () => {
    expect(await accepting(version, `${MT};charset=utf-8, ${MT}`)).toEqual({ status: 200, type: MT })
  })

  test('A13 A14: an extension that is not supported is 406 alone, and not claimed beside the clean media type', async () => {
    const alone = await accepting(version, `${MT};ext="${unknown}"`)
    const beside = await accepting(version, `${MT};ext="${unknown}", ${MT}`)
    expect({ alone, beside }).toEqual({ alone: { status: 406, type: MT }, beside: { status: 200, type: MT } })
  })

  test.each([`${MT};q=0.9`, `text/html;q=0.9, ${MT};q=0.1`, `${MT};q=1.0, */*;q=0.5`])(
    'A16: in %s q is a weight, and no parameter of the media type',
    async (accept) => expect(await accepting(version, accept)).toEqual({ status: 200, type: MT }),
  )

  test.each([[null], ['*/*'], ['application/*']])('A17: Accept %s is answered with the media type', async (accept) => {
    expect(await accepting(version, accept)).toEqual({ status: 200, type: MT })
  })

  test('A18: the case of the media type and of its parameters does not matter', async () => {
    expect(await accepting(version, 'Application/VND.API+JSON')).toEqual({ status: 200, type: MT })
    expect(await accepting(version, `${MT};CharSet=utf-8`)).toEqual({ status: 406, type: MT })
  })

  test('A19: an answer that cannot be accepted is 406 before anything is written', async () => {
    const before = await snapshot(server.db)
    const requests = [
      ['POST', '/tags', tag('never')],
      ['DELETE', '/comments/1'],
      ['PATCH', '/posts/1/relationships/tags', JSON.stringify({ data: [] })],
    ] as const
    for (const [method, path, body] of requests) {
      const { status } = await server.ask(version, method, path, { body, headers: { Accept: 'text/html' } })
      expect({ method, status }).toEqual({ method, status: 406 })
    }
    expect(await snapshot(server.db)).toEqual(before)
  })

  test('A20: what a document says of extensions and profiles negotiates nothing', async () => {
    const body = { ...JSON.parse(create()[2]), jsonapi: { version: '1.1', ext: [unknown, atomic], profile: [unknown] } }
    const { status, headers, body: answer } = await server.ask(version, 'POST', '/tags', { body })
    expect({ status, type: headers['content-type'], jsonapi: answer.jsonapi }).toEqual({
      status: 201,
      type: MT,
      jsonapi: { version: version.version },
    })
  })

  test('A21: a Content-Type of plain JSON is 415', async () => {
    expect(await sending(version, 'application/json', create())).toEqual(refused)
  })

  test.each([
    [404, 'GET', '/tags/999', MT],
    [404, 'GET', '/nothing', MT],
    [405, 'PUT', '/tags/1', MT],
    [406, 'GET', '/tags/1', 'text/plain'],
  ])('A22: a %i is an error document', async (status, method, path, accept) => {
    const answer = await server.ask(version, method, path, { headers: { Accept: accept } })
    expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({ status, type: MT })
    expect(answer.body.errors).toEqual([expect.objectContaining({ status: String(status) })])
  })

  test.each(['', '/tags', '/tags/1', '/posts/1/author', '/posts/1/relationships/tags', '/tags/999'])(
    'A23: HEAD of "%s" is GET without a body',
    async (path) => {
      const get = await server.ask(version, 'GET', path)
      const head = await server.ask(version, 'HEAD', path)
      const { date: _, ...headers } = get.headers
      expect({ status: head.status, headers: head.headers, body: head.body }).toEqual({
        status: get.status,
        headers: expect.objectContaining(headers),
        body: undefined,
      })
      expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
    },
  )

  test.each([
    ['', 'GET, HEAD, QUERY'],
    ['/tags', 'GET, HEAD, POST, QUERY'],
    ['/tags/1', 'GET, HEAD, PATCH, DELETE, QUERY'],
    ['/posts/1/author', 'GET, HEAD, QUERY'],
    ['/posts/1/relationships/author', 'GET, HEAD, PATCH, QUERY'],
    ['/posts/1/relationships/tags', 'GET, HEAD, PATCH, POST, DELETE, QUERY'],
  ])('A23: OPTIONS of "%s" names the methods', async (path, allow) => {
    const { status, headers, body } = await server.send(version, 'OPTIONS', path, {})
    expect({ status, allow: headers.allow, body }).toEqual({ status: 204, allow, body: undefined })
  })

  test('B28: every answer varies by Accept', async () => {
    const answers = [
      await server.get(version, '/tags/1'),
      await server.get(version, '/tags/999'),
      await server.send(version, 'OPTIONS', '/tags', {}),
      await server.ask(version, 'DELETE', '/comments/2'),
    ]
    expect(answers.map(({ headers }) => headers.vary)).toEqual(['Accept', 'Accept', 'Accept', 'Accept'])
  })
})

describe('the server v2, which declares 1.1,', () => {
  test('A6: refuses an extension that it does not know beside one that it knows', async () => {
    expect(await sending(v2, `${MT};ext="${atomic} ${unknown}"`, create())).toEqual(refused)
    expect(await accepting(v2, `${MT};ext="${atomic} ${unknown}"`)).toEqual({ status: 406, type: MT })
  })

  test('A9: ignores a profile that it does not know', async () => {
    const answer = await sending(v2, `${MT};profile="${unknown}"`, create())
    expect(answer).toEqual({ status: 201, isWritten: true })
  })

  test('A15: does not claim a profile that it does not know, whatever it is called', async () => {
    expect(await accepting(v2, `${MT};profile="${unknown} https://example.com/;a,b"`)).toEqual({
      status: 200,
      type: MT,
    })
  })

  test('A15: claims the profile of cursors where pages follow it, asked for or not, and nowhere else', async () => {
    const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
    const claimed = { status: 200, type: `${MT};profile="${profile}"` }
    const asked = `${MT};profile="${profile}"`
    expect(await accepting(v2, asked, '/posts')).toEqual(claimed)
    expect(await accepting(v2, MT, '/posts')).toEqual(claimed)
    for (const path of ['/tags', '/comments', '/posts/1', '/posts/1/tags', ''])
      expect(await accepting(v2, asked, path)).toEqual({ status: 200, type: MT })
  })

  test('P1 Q15: names what was applied, in the document too', async () => {
    const accept = `${MT};ext="${atomic}"`
    const { headers, body } = await server.send(v2, 'GET', '/posts?page[size]=1', { headers: { Accept: accept } })
    const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
    expect({ type: headers['content-type'], jsonapi: body.jsonapi }).toEqual({
      type: `${MT};ext="${atomic}";profile="${profile}"`,
      jsonapi: { version: '1.1', ext: [atomic], profile: [profile] },
    })
  })

  test('an error is answered with what was asked for as well', async () => {
    const { status, headers } = await server.ask(v2, 'GET', '/tags/999', {
      as: users.editor,
      headers: { Accept: `${MT};ext="${atomic}"` },
    })
    expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: `${MT};ext="${atomic}"` })
  })
})
