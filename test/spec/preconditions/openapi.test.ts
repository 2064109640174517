import { expect, test } from 'vitest'
import { inPlace } from '../../support/openapi-in-place.ts'
import { useServers } from '../../support/servers.ts'
import { versionedParts } from '../../support/versioned.ts'

const api = useServers(versionedParts)

const operationOf = async (server: string, path: string, method: string) => {
  const { body } = await api.as(null)('GET', `/api/${server}/openapi.json`, { headers: { Accept: 'application/json' } })
  const { parameters = [], responses } = inPlace(body, 'responses', 'parameters').paths[`/api/${server}${path}`][method]
  const headers = parameters.filter(({ name }: { name: string }) => name.startsWith('If-'))
  return {
    headers: headers.map(({ name, required = false }: { name: string; required?: boolean }) => [name, required]),
    statuses: Object.keys(responses).filter((status) => status === '304'),
    errors: ['412', '428'].filter((status) => responses['4XX'].description.includes(`- ${status} `)),
    tag: Object.keys(responses[200]?.headers ?? responses[201]?.headers ?? {}).filter((name) => name === 'ETag'),
  }
}

const ifMatch = ['If-Match', false]
const ifNoneMatch = ['If-None-Match', false]
const errors = ['412', '428']

test.each([
  ['/videos', 'get', { headers: [ifNoneMatch], statuses: ['304'], errors, tag: ['ETag'] }],
  ['/videos', 'post', { headers: [], statuses: [], errors, tag: ['ETag'] }],
  ['/videos/{id}', 'get', { headers: [ifNoneMatch], statuses: ['304'], errors, tag: ['ETag'] }],
  ['/videos/{id}', 'patch', { headers: [ifMatch], statuses: [], errors, tag: ['ETag'] }],
  ['/videos/{id}', 'delete', { headers: [ifMatch], statuses: [], errors, tag: [] }],
  ['/videos/{id}/tags', 'get', { headers: [], statuses: [], errors, tag: ['ETag'] }],
  ['/videos/{id}/relationships/tags', 'get', { headers: [], statuses: [], errors, tag: ['ETag'] }],
  ['/videos/{id}/relationships/tags', 'patch', { headers: [], statuses: [], errors, tag: ['ETag'] }],
])('the OpenAPI document says what %s takes of preconditions: %s', async (path, method, expected) => {
  expect(await operationOf('open', path, method)).toEqual(expected)
})

test('what relations take of preconditions, it says once for all of them', async () => {
  const { body } = await api.as(null)('GET', '/api/open/openapi.json', { headers: { Accept: 'application/json' } })
  expect(body.info.description).toContain(
    'At the URLs of relations, too, GET takes `If-None-Match`, and may be answered by 304. A write of a relationship takes `If-Match`, as one of its resource does.',
  )
})

test.each([
  ['/videos/{id}', 'patch'],
  ['/videos/{id}', 'delete'],
  ['/videos/{id}/relationships/tags', 'patch'],
  ['/videos/{id}/relationships/tags', 'post'],
  ['/videos/{id}/relationships/tags', 'delete'],
])('%s needs If-Match where the schema wants it: %s', async (path, method) => {
  expect((await operationOf('careful', path, method)).headers).toEqual([['If-Match', true]])
})

test('the counter is no field of a document that is sent', async () => {
  const { body } = await api.as(null)('GET', '/api/careful/openapi.json', { headers: { Accept: 'application/json' } })
  const fieldsOf = (name: string) =>
    Object.keys(body.components.schemas[name].properties.data.properties.attributes.properties)
  expect(fieldsOf('videos.update')).not.toContain('durationSeconds')
  expect(fieldsOf('videos.create')).not.toContain('durationSeconds')
})
