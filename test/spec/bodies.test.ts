import http from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { forbidden, invalid } from '../support/answers.ts'
import { mediaType, useApi, users } from '../support/api.ts'
import { type RawSend, raw } from '../support/raw.ts'
import { jsonapi } from '../support/row-documents.ts'
import { snapshot } from '../support/snapshot.ts'

const api = useApi()

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
afterAll(() => agent.destroy())

const megabyte = 1_048_576
const invalidJson = (detail: string) => ({ status: '400', title: 'Invalid JSON', detail })
const tooLarge = {
  status: '413',
  title: 'Payload Too Large',
  detail: `The request body must not be larger than ${megabyte} bytes.`,
}
const tagNamed = (name: string) => JSON.stringify({ data: { type: 'tags', attributes: { name } } })

/** As an administrator, who may create a tag: what is refused is refused for its body. */
async function post(body: RawSend['body'], headers: Readonly<Record<string, string>> = {}) {
  const length =
    typeof body === 'string' || Buffer.isBuffer(body) ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}
  const authorization = { Authorization: await api.authorization(users.admin) }
  const all = { 'Content-Type': mediaType, ...authorization, ...length, ...headers }
  return raw(api.url('/tags'), { method: 'POST', headers: all, ...(body !== undefined && { body }), agent })
}

/** The server answers on the same connections as before. */
const expectAlive = async () => expect((await raw(api.url('/tags/1'), { agent })).status).toBe(200)

async function expectRefused(send: ReturnType<typeof post>, status: number, error: object) {
  const before = await snapshot(api.db)
  const answer = await send
  expect({ status: answer.status, type: answer.headers['content-type'], body: answer.body }).toEqual({
    status,
    type: mediaType,
    body: { jsonapi, errors: [error] },
  })
  expect(await snapshot(api.db)).toEqual(before)
  await expectAlive()
  return answer
}

const nested = (levels: number) => `{"data":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('a body whose values would take many times its bytes', () => {
  const list = (values: readonly string[]) => `{"data":{"type":"tags","attributes":{"name":[${values}]}}}`
  const filled = (made: (nth: number) => string) => {
    const values: string[] = []
    for (let [nth, length] = [0, 100]; length < megabyte - 100; nth++) {
      values.push(made(nth))
      length += made(nth).length + 1
    }
    return list(values)
  }
  const times = <T>(count: number, made: (nth: number) => T): T[] =>
    Array.from({ length: count }, (_, nth) => made(nth))
  const colliding = (nth: number) =>
    [...nth.toString(3).padStart(10, '0')].map((each) => ['Aa', 'BB', 'C#'][Number(each)])

  test.each([
    ['empty objects', () => '{}'],
    ['empty arrays', () => '[]'],
    ['arrays in each other', () => '[[[]]]'],
    ['objects of one member', () => '{"a":1}'],
    ['names of their own', (nth: number) => `{"n${nth}":1}`],
    ['names of their own that have one hash in Java', (nth: number) => `{"${colliding(nth).join('')}":1}`],
    ['integers as names', (nth: number) => `{"${nth}":1}`],
  ])('is 400, before it is parsed: %s', async (_, made) => {
    const body = filled(made)
    const detail = `The request body must not take more than ${8 * body.length} bytes once it is parsed.`
    await expectRefused(post(body), 400, { status: '400', title: 'Bad Request', detail })
  })

  test('is read where it takes 2 MiB at the most', async () => {
    expect((await post(list(times(25_000, () => '{}')))).status).toBe(422)
    const detail = 'The request body must not take more than 2097152 bytes once it is parsed.'
    const body = list(times(30_000, () => '{}'))
    await expectRefused(post(body), 400, { status: '400', title: 'Bad Request', detail })
  })

  const entries = (count: number, made: (nth: number) => string) => `{${times(count, made)}}`
  test.each([
    ['a file of 3,000 translations', entries(3000, (nth) => `"menu.item.${nth}.title":"Open the file ${nth}"`)],
    ['a file of short translations', entries(4000, (nth) => `"menu.open${nth}":"Open"`)],
    ['a dictionary of identifiers', entries(5000, (nth) => `"${nth * 7 + 1234}":"abc"`)],
    ['numbers, 100 × 100', `[${times(100, () => `[${times(100, (nth) => nth / 8)}]`)}]`],
    ['10,000 pairs of numbers', `[${times(12_000, () => '[1,2]')}]`],
    ['places', `[${times(5000, (nth) => `[${13 + nth / 1e5},${52 + nth / 1e5}]`)}]`],
    ['5,000 small objects', `[${times(5000, (nth) => `{"a":${nth}}`)}]`],
    ['20,000 small objects', `[${times(20_000, () => '{"a":1}')}]`],
    ['a board of noughts and crosses', `[${times(50_000, (nth) => (nth % 3 ? '"x"' : '"o"'))}]`],
  ])('is no everyday one: %s', async (_, value) => {
    const { status, body } = await post(`{"data":{"type":"tags","attributes":{"name":${value}}}}`)
    const error = invalid('string', 'The name field must be a string.', '/data/attributes/name')
    expect({ status, body }).toEqual({ status: 422, body: { jsonapi, errors: [error] } })
  })

  test('is no relationship of 1,000 identifiers', async () => {
    const data = times(1000, (nth) => ({ type: 'posts', id: String(nth + 100_000) }))
    const relationships = { posts: { data } }
    const answer = await post(JSON.stringify({ data: { type: 'tags', attributes: { name: 'many' }, relationships } }))
    expect(answer.status).toBe(404)
  })
})

describe('a body that is no JSON object is 400', () => {
  const noJson = 'The request body is not valid JSON.'
  const nothing = 'Expecting JSON to decode.'
  const noObject = 'Expecting JSON to decode to an object.'

  test.each([
    ['nothing at all', undefined, nothing],
    ['an empty text', '', nothing],
    ['white space', ' \r\n\t', nothing],
    ['an empty list', '[]', noObject],
    ['a list of documents', `[${tagNamed('x')}]`, noObject],
    ['null', 'null', noObject],
    ['a number', '1', noObject],
    ['a string', '"tags"', noObject],
    ['true', 'true', noObject],
    ['half a document', '{"data":', noJson],
    ['two documents', `${tagNamed('x')}${tagNamed('y')}`, noJson],
    ['JavaScript', "{data:{type:'tags'}}", noJson],
    ['NaN', '{"data":NaN}', noJson],
    ['a form', 'data[type]=tags', noJson],
    ['a control character in a string', '{"data":"\u0001"}', noJson],
  ])('%s', async (_, body, detail) => {
    await expectRefused(post(body), 400, invalidJson(detail))
  })

  test('an empty body in chunks', async () => {
    await expectRefused(post([], { 'Transfer-Encoding': 'chunked' }), 400, invalidJson(nothing))
  })
})

describe('a body with bytes or values that mean harm is refused', () => {
  const notUtf8 = invalidJson('The request body is not UTF-8.')

  test.each([
    ['an invalid byte', Buffer.from('7b2261223a22ff227d', 'hex')],
    ['half a character at the end', Buffer.concat([Buffer.from('{"a":"x"}'), Buffer.from([0xe2, 0x82])])],
    ['an overlong slash', Buffer.from('7b2261223a22c0af227d', 'hex')],
    ['UTF-16', Buffer.from(tagNamed('x'), 'utf16le').fill(0xff, 0, 2)],
    ['Latin 1', Buffer.from(tagNamed('Käse'), 'latin1')],
  ])('%s: 400', async (_, body) => {
    await expectRefused(post(body), 400, notUtf8)
  })

  test('a character that comes in two chunks is none of them', async () => {
    const bytes = Buffer.from(tagNamed('Käse'))
    const at = bytes.indexOf(0xc3) + 1
    const answer = await post([bytes.subarray(0, at), bytes.subarray(at)], { 'Transfer-Encoding': 'chunked' })
    expect({ status: answer.status, name: answer.body.data.attributes.name }).toEqual({ status: 201, name: 'Käse' })
  })

  test('half a surrogate pair: 422, because no database can hold it', async () => {
    const body = String.raw`{"data":{"type":"tags","attributes":{"name":"x\ud800"}}}`
    const detail = 'The name field must not contain characters that cannot be stored.'
    await expectRefused(post(body), 422, invalid('storable', detail, '/data/attributes/name'))
  })

  test.each([
    ['of the document', '{"__proto__":{"admin":true},"data":{"type":"tags"}}'],
    ['of attributes', '{"data":{"type":"tags","attributes":{"__proto__":{"name":"x"}}}}'],
    ['written with escapes', String.raw`{"data":{"type":"tags","\u005f_proto__":{"attributes":{"name":"x"}}}}`],
  ])('a member __proto__ %s: 400', async (_, body) => {
    await expectRefused(post(body), 400, invalidJson('The name __proto__ is not allowed.'))
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test.each(['1e400', '-1e400', '[[1e999]]'])('the number %s: 400', async (number) => {
    await expectRefused(
      post(`{"data":{"type":"tags","meta":${number}}}`),
      400,
      invalidJson('A number is out of range.'),
    )
  })

  test.each([65, 20_000, 500_000])('%i levels: 400', async (levels) => {
    const detail = 'Arrays and objects must not nest deeper than 64 levels.'
    await expectRefused(post(nested(levels)), 400, invalidJson(detail))
  })

  test('64 levels are read', async () => {
    const error = {
      status: '400',
      title: 'Non-Compliant JSON:API Document',
      detail: 'The member data must be an object.',
      source: { pointer: '/data' },
    }
    await expectRefused(post(nested(64)), 400, error)
  })
})

describe('the size of a body is limited', () => {
  const padded = (bytes: number) => tagNamed('x').padEnd(bytes, ' ')

  test('a megabyte is read, a byte more is 413', async () => {
    const answer = await post(padded(megabyte).replace('"x"', '"1 MiB"').slice(0, megabyte))
    expect(answer.status).toBe(201)
    await expectRefused(post(padded(megabyte + 1)), 413, tooLarge)
  })

  test('in chunks without a length, too: the connection ends with the answer', async () => {
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024, ' '))
    const { headers } = await expectRefused(post(chunks, { 'Transfer-Encoding': 'chunked' }), 413, tooLarge)
    expect(headers.connection).toBe('close')
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('50 MB in a small %s body are 413', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(50 * megabyte, ' '))
    expect(bomb.length).toBeLessThan(megabyte)
    await expectRefused(post(bomb, { 'Content-Encoding': encoding }), 413, tooLarge)
  })
})

describe('Content-Encoding', () => {
  test.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ] as const)('%s is read', async (encoding, compress) => {
    const answer = await post(compress(Buffer.from(tagNamed(`by ${encoding}`))), { 'Content-Encoding': encoding })
    expect({ status: answer.status, name: answer.body.data.attributes.name }).toEqual({
      status: 201,
      name: `by ${encoding}`,
    })
  })

  test.each(['zstd', 'compress', 'gzip, gzip', 'x'])('%s is 415, with those that are read', async (encoding) => {
    const error = {
      status: '415',
      title: 'Unsupported Media Type',
      detail: 'The request body has a Content-Encoding which the server does not support.',
    }
    const { headers } = await expectRefused(post(tagNamed('x'), { 'Content-Encoding': encoding }), 415, error)
    expect(headers['accept-encoding']).toBe('gzip, x-gzip, deflate, br')
  })

  test.each([
    ['that is none', Buffer.from(tagNamed('x'))],
    ['that ends early', gzipSync(Buffer.from(tagNamed('x'))).subarray(0, 30)],
  ])('gzip %s is 400', async (_, body) => {
    const detail = 'The request body does not fit its Content-Encoding.'
    await expectRefused(post(body, { 'Content-Encoding': 'gzip' }), 400, {
      status: '400',
      title: 'Bad Request',
      detail,
    })
  })
})

describe('a client that goes away', () => {
  test('in the middle of its body writes nothing, and leaves the server alive', async () => {
    const before = await snapshot(api.db)
    const headers = {
      'Content-Type': mediaType,
      Authorization: await api.authorization(users.admin),
      'Content-Length': '500',
    }
    for (let n = 0; n < 20; n++) {
      const request = http.request(api.url('/tags'), { method: 'POST', headers }).on('error', () => {})
      request.write('{"data":')
      await new Promise((resolve) => setTimeout(resolve, 5))
      request.destroy()
    }
    await expectAlive()
    expect(await snapshot(api.db)).toEqual(before)
  })
})

test('a guest gets 400 for a body that is wrong, and 403 for one that is right', async () => {
  const headers = { 'Content-Type': mediaType }
  const wrong = await raw(api.url('/tags'), { method: 'POST', headers, body: '{', agent })
  const right = await raw(api.url('/tags'), { method: 'POST', headers, body: tagNamed('x'), agent })
  expect([wrong.status, right.status]).toEqual([400, 403])
  expect(right.body).toEqual({ jsonapi, errors: [forbidden()] })
})
