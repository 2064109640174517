import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { Counting, counting } from '../../support/idempotency.ts'
import { inPlace } from '../../support/openapi-in-place.ts'
import { useServers } from '../../support/servers.ts'

class Plain extends Counting {
  override readonly idempotency = false
}

const api = useApi()
const plain = useServers(() => counting(Plain))

const ref = { $ref: '#/components/parameters/Idempotency-Key' }
type Operations = Readonly<
  Record<
    string,
    {
      readonly parameters?: readonly object[]
      readonly responses: Readonly<Record<string, { readonly headers?: object }>>
    }
  >
>

test.each(['v1', 'v2'])('each POST of %s takes a key, and nothing else does', async (name) => {
  const { paths, components } = inPlace((await api.as(1).get(`/api/${name}/openapi.json`)).body, 'responses')
  expect(components.parameters['Idempotency-Key']).toEqual({
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The request is carried out once: a repeat with the same key and document gets the first answer, for 24 hours. While that is being made, the repeat gets 409 with `Retry-After`. Another request with the key gets 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  })
  expect(components.parameters['Idempotency-Token']).toEqual({
    name: 'Idempotency-Token',
    in: 'header',
    description:
      "By which a guest, who has not signed in, gets the first answer to the `Idempotency-Key` again: a secret of the client's own, sent with each attempt, or the one of the first answer. A repeat without it gets 409.",
    schema: { type: 'string', minLength: 22, maxLength: 255, pattern: '^[\\w.~+/=-]+$' },
  })
  const methods = Object.values<Operations>(paths).flatMap((path) =>
    Object.entries(path).filter(([method]) => method !== 'parameters'),
  )
  const keyed = methods.filter(([, { parameters = [] }]) => JSON.stringify(parameters).includes(ref.$ref))
  expect(keyed).toEqual(methods.filter(([method]) => method === 'post'))
  expect(keyed.length).toBeGreaterThan(5)
  for (const [, { responses }] of keyed) {
    expect(responses['4XX']).toMatchObject({
      description: expect.stringMatching(/- 409 [\s\S]*- 422 /),
      headers: { 'Retry-After': { description: expect.stringContaining('`Idempotency-Key`') } },
    })
    const [answer] = Object.entries(responses).flatMap(([status, each]) => (status.startsWith('2') ? [each] : []))
    expect(answer?.headers).toMatchObject({ 'Idempotency-Replayed': {}, 'Idempotency-Token': {} })
  }
})

test('a server without keys says nothing of them, and takes the header for none of its own', async () => {
  const { text } = await plain.as(null)('GET', '/api/v1/openapi.json')
  expect(text).not.toContain('Idempotency')
  const headers = { 'Idempotency-Key': 'no key, but nobody looks' }
  const body = { data: { type: 'tags', attributes: { name: 'keyed-nowhere' } } }
  expect((await plain.as(1)('POST', '/api/v1/tags', { headers, body })).status).toBe(201)
  expect(await plain.db.idempotencyKey.count()).toBe(0)
})
