import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { inPlace } from '../../support/openapi-in-place.ts'
import { theExample, useServers } from '../../support/servers.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
type Part = any

const rateLimit = { points: 1000, duration: 60 }
const limited = useServers(async () => ({ ...(await theExample()), rateLimit }))
const unlimited = useServers(theExample)

const documentOf = async (api: typeof limited): Promise<Part> => (await api.as(1)('GET', '/api/v2/openapi.json')).body

/** The operations of types, and that of atomic requests. */
const operationsOf = (document: Part): Part[] =>
  Object.entries<Part>(inPlace(document, 'responses').paths)
    .filter(([path]) => path !== '/api/v2' && path !== '/api/v2/openapi.json')
    .flatMap(([, { parameters: _, ...item }]) => Object.values<Part>(item))

const references = (names: readonly string[], kind: string) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]))

describe('with a rate limit', () => {
  test('each operation may be 429, and says how many more there may be', async () => {
    const document = await documentOf(limited)
    const operations = operationsOf(document)
    expect(operations.length).toBeGreaterThan(40)
    for (const { responses } of operations) {
      expect(responses[429].description).toBe(
        'Too Many Requests. The caller has made as many requests as there may be.',
      )
      const [ok] = Object.keys(responses).filter((status) => status.startsWith('2'))
      expect(responses[ok as string].headers).toMatchObject(references(['RateLimit', 'RateLimit-Policy'], 'headers'))
    }
    expect(Object.keys(document.components.headers)).toEqual(['ETag', 'RateLimit', 'RateLimit-Policy'])
    expect(Object.keys(document.components.responses[429].headers)).toEqual([
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ])
  })

  test('the pages of the server are not counted', async () => {
    const { paths } = await documentOf(limited)
    const { status, headers } = await limited.as(null)('GET', '/api/v2')
    expect([status, headers.has('RateLimit')]).toEqual([200, false])
    expect(paths['/api/v2'].get.responses).not.toHaveProperty('429')
  })

  test('the document is valid', async () => {
    expect(await new Validator().validate(await documentOf(limited))).toEqual({ valid: true })
  })

  test('answers have the headers that it tells of', async () => {
    const { headers } = await limited.as(1)('GET', '/api/v2/tags')
    expect([headers.has('RateLimit'), headers.has('RateLimit-Policy')]).toEqual([true, true])
  })
})

describe('without one', () => {
  test('there is no word of it', async () => {
    const document = await documentOf(unlimited)
    expect(JSON.stringify(document)).not.toMatch(/RateLimit|"429"/)
  })

  test('each operation may be late, have too many headers, or meet a database that is gone', async () => {
    const document = await documentOf(unlimited)
    for (const { responses } of operationsOf(document))
      for (const status of ['408', '431']) expect(responses['4XX'].description).toContain(`- ${status} `)
    expect(document.info.description).toContain('503 has `Retry-After`')
  })
})
