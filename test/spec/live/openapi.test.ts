import type { Part } from '@prismapi/openapi/described'
import { expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { inPlace } from '../../support/openapi-in-place.ts'

// What the OpenAPI document says of streams.

const api = useApi()

test('each GET with a stream tells of it, and of the position to go on from; no other does', async () => {
  const body = inPlace((await api.as(users.admin).get('/api/v2/openapi.json')).body, 'responses')
  const streamed = Object.entries<{
    readonly get?: { operationId: string; parameters: Part[]; responses: { 200: { content: Part } } }
  }>(body.paths).flatMap(([, path]) => (path.get?.responses[200].content['text/event-stream'] ? [path.get] : []))
  const ids = streamed.map(({ operationId }) => operationId)
  expect(ids).toEqual(expect.arrayContaining(['listTags', 'getTag', 'listPostTags']))
  expect(ids.filter((id) => /author|relationship|stat/i.test(id))).toEqual([])
  for (const { parameters, responses } of streamed) {
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/Last-Event-ID' })
    const mediaTypes = Object.keys(responses[200].content)
    expect([mediaTypes[0], mediaTypes.at(-1)]).toEqual(['application/vnd.api+json', 'text/event-stream'])
  }
  const { schemas, parameters } = body.components
  expect(parameters['Last-Event-ID']).toMatchObject({ name: 'Last-Event-ID', in: 'header' })
  for (const word of ['snapshot', 'upsert', 'remove', 'reset', 'end'])
    expect(schemas.eventStream.description).toContain(`\`${word}\``)
  const other = await api.as(users.admin).get('/api/v1/openapi.json')
  expect(JSON.stringify(other.body)).not.toContain('event-stream')
})
