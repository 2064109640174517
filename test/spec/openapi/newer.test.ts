import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { badParameter } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'

const api = useApi()

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by names that its checks have compared
type Part = Readonly<Record<string, any>>

const paths = { v1: '/api/v1/openapi.json', v2: '/api/v2/openapi.json' }
const newer = async (name: 'v1' | 'v2', more = '') =>
  (await api.as(users.admin).get(`${paths[name]}?openapi=3.2${more}`)).body

/** What a reference leads to, or the part itself. */
const at = (document: Part, part: Part): Part =>
  part.$ref === undefined
    ? part
    : part.$ref
        .slice(2)
        .split('/')
        .reduce((found: Part, step: string) => found[step], document)

const form = 'application/x-www-form-urlencoded'

describe.each(['v1', 'v2'] as const)('OpenAPI 3.2 of %s', (name) => {
  test('is valid, and is sent to whoever asks for it', async () => {
    const document = await newer(name)
    expect(document.openapi).toBe('3.2.0')
    expect(await new Validator().validate(document)).toEqual({ valid: true })
  })

  test('has QUERY at each path that has GET, which the server takes', async () => {
    const document = await newer(name)
    const items: [string, Part][] = Object.entries(document.paths)
    for (const [url, item] of items) expect([url, 'query' in item]).toEqual([url, 'get' in item])
    const ids = items.flatMap(([, { parameters: _, ...item }]) =>
      Object.values(item).map((operation) => (operation as Part).operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    const urls = items.flatMap(([url, item]) => ('query' in item && !url.includes('{') ? [url] : []))
    for (const url of urls) {
      const { headers } = await api.as(users.admin).request('OPTIONS', url)
      expect([url, headers.get('Allow')]).toEqual([url, expect.stringMatching(/\bQUERY$/)])
    }
  })

  test('has in the body of QUERY all that GET has in its URL, encoded alike', async () => {
    const document = await newer(name)
    for (const [url, { get, query }] of Object.entries<Part>(document.paths)) {
      if (!get) continue
      const parameters: Part[] = (get.parameters ?? []).map((each: Part) => at(document, each))
      const asked = parameters.filter((parameter) => parameter.in === 'query')
      const { schema, encoding } = at(document, query.requestBody).content[form]
      const found = Object.entries<Part>(schema.properties).map(([key, part]) => [
        key,
        (schema.required ?? []).includes(key),
        part.$ref ? at(document, part) : { type: part.type, enum: part.enum, items: part.items },
        encoding[key]?.style,
        encoding[key]?.explode,
      ])
      const wanted = asked.map(({ name: key, required, schema: part, style, explode }) => [
        key,
        required === true,
        schema.properties[key].$ref ? part : { type: part.type, enum: part.enum, items: part.items },
        style,
        explode,
      ])
      expect([url, found]).toEqual([url, wanted])
      const others = (query.parameters ?? []).map((each: Part) => at(document, each).name)
      const inHeaders = parameters.filter((parameter) => parameter.in !== 'query')
      expect([url, others]).toEqual([url, inHeaders.map((parameter) => parameter.name)])
      expect(query.responses).toEqual(get.responses)
    }
  })

  test('does not change the document of 3.1, which is the default', async () => {
    const admin = api.as(users.admin)
    const [usual, asked] = [await admin.get(paths[name]), await admin.get(`${paths[name]}?openapi=3.1`)]
    expect(usual.body.openapi).toBe('3.1.0')
    expect(asked.body).toEqual(usual.body)
    expect(asked.headers.get('ETag')).toBe(usual.headers.get('ETag'))
    expect(JSON.stringify(usual.body)).not.toMatch(/"query":|itemSchema/)
  })

  test('is kept as the other is: by an entity tag of its own', async () => {
    const { headers } = await api.guest.get(`${paths[name]}?openapi=3.2`)
    const etag = headers.get('ETag') as string
    expect(etag).not.toBe((await api.guest.get(paths[name])).headers.get('ETag'))
    const again = await api.guest.get(`${paths[name]}?openapi=3.2`, { headers: { 'If-None-Match': etag } })
    expect([again.status, again.headers.get('Cache-Control')]).toEqual([304, 'private, no-cache'])
  })

  test.each(['3.0', '3.2.0', '', '4', '3.1,3.2', '3.2&openapi=3.2'])('is no version %j', async (version) => {
    const { status, body } = await api.guest.get(`${paths[name]}?openapi=${version}`)
    const detail = 'Query parameter openapi must be one version of OpenAPI: 3.1, 3.2.'
    expect([status, body.errors]).toEqual([400, [{ ...badParameter('openapi'), detail }]])
  })
})

test('a part of the document has no more than its types', async () => {
  const document = await newer('v2', '&types=tags')
  expect(await new Validator().validate(document)).toEqual({ valid: true })
  expect(Object.keys(document.paths)).toContain('/api/v2/tags')
  expect(Object.keys(document.paths)).not.toContain('/api/v2/posts')
})

test('a stream is told by its events, and lines by one of them', async () => {
  const document = await newer('v2')
  const { content } = at(document, document.paths['/api/v2/posts'].get.responses['200'])
  const events = content['text/event-stream'].itemSchema.oneOf.map((each: Part) => at(document, each))
  expect(events.map((event: Part) => event.properties.event.const)).toEqual([
    ...['snapshot', 'upsert', 'remove', 'reset', 'end'],
  ])
  const data = events.map((event: Part) => event.properties.data.contentSchema)
  expect(data[0]).toEqual(content['application/vnd.api+json'].schema)
  expect(data[1]).toEqual({ $ref: '#/components/schemas/posts.one' })
  const line = content['application/x-ndjson'].itemSchema
  expect(Object.keys(at(document, line.allOf[0]).properties)).toContain('title')
  expect(content['text/csv']).toEqual({ schema: { type: 'string' } })
})

test('an event and a line are as they are described', async () => {
  const lines = await fetch(api.url('/api/v2/posts'), { headers: { Accept: 'application/x-ndjson' } })
  const [line = ''] = (await lines.text()).split('\n')
  const document = await newer('v2')
  const { content } = at(document, document.paths['/api/v2/posts'].get.responses['200'])
  const schema = content['application/x-ndjson'].itemSchema
  const { id, ...values } = JSON.parse(line)
  expect(typeof id).toBe('string')
  const { properties } = at(document, schema.allOf[0])
  const others = Object.keys(values).filter((key) => !(key in properties))
  expect(Object.keys(values).length).toBeGreaterThan(others.length)
  for (const key of others) expect(schema.unevaluatedProperties.type).toContain(typeof values[key])
})

test('a type that is searched can be ordered by the search', async () => {
  const { components } = (await api.guest.get(paths.v2)).body
  const orders = (name: string) => components.parameters[`sort.${name}`].schema.items.enum
  expect(orders('posts')).toEqual(expect.arrayContaining(['search', '-search']))
  expect(orders('tags')).not.toContain('search')
})
