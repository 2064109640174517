import { expect, test } from 'vitest'
import { useServers } from '../../support/servers.ts'
import { versionedParts } from '../../support/versioned.ts'

const api = useServers(versionedParts)

const operationOf = async (server: string, path: string, method: string) => {
  const { body } = await api.as(null)('GET', `/api/${server}/openapi.json`, { headers: { Accept: 'application/json' } })
  const { parameters, responses } = body.paths[`/api/${server}${path}`][method]
  const headers = [...parameters].filter(({ in: place, $ref = '' }) => place === 'header' || $ref.includes('/If-'))
  return {
    headers: headers.map(({ $ref, name, required }) => $ref ?? { name, required }),
    statuses: Object.keys(responses).filter((status) => ['304', '412', '428'].includes(status)),
    tag: Object.keys(responses[200]?.headers ?? responses[201]?.headers ?? {}).filter((name) => name === 'ETag'),
  }
}

const ifMatch = '#/components/parameters/If-Match'
const ifNoneMatch = '#/components/parameters/If-None-Match'

test.each([
  ['/videos', 'get', { headers: [ifNoneMatch], statuses: ['304', '412'], tag: ['ETag'] }],
  ['/videos', 'post', { headers: [], statuses: [], tag: ['ETag'] }],
  ['/videos/{id}', 'get', { headers: [ifNoneMatch], statuses: ['304', '412'], tag: ['ETag'] }],
  ['/videos/{id}', 'patch', { headers: [ifMatch], statuses: ['412'], tag: ['ETag'] }],
  ['/videos/{id}', 'delete', { headers: [ifMatch], statuses: ['412'], tag: [] }],
  ['/videos/{id}/tags', 'get', { headers: [ifNoneMatch], statuses: ['304', '412'], tag: ['ETag'] }],
  ['/videos/{id}/relationships/tags', 'get', { headers: [ifNoneMatch], statuses: ['304', '412'], tag: ['ETag'] }],
  ['/videos/{id}/relationships/tags', 'patch', { headers: [ifMatch], statuses: ['412'], tag: ['ETag'] }],
  ['/videos/{id}/relationships/tags', 'post', { headers: [ifMatch], statuses: ['412'], tag: [] }],
  ['/videos/{id}/relationships/tags', 'delete', { headers: [ifMatch], statuses: ['412'], tag: [] }],
])('the OpenAPI document says what %s takes of preconditions: %s', async (path, method, expected) => {
  expect(await operationOf('open', path, method)).toEqual(expected)
})

test.each(['patch', 'delete'])('%s needs If-Match where the schema wants it', async (method) => {
  const { headers, statuses } = await operationOf('careful', '/videos/{id}', method)
  expect({ headers, statuses }).toEqual({ headers: [{ name: 'If-Match', required: true }], statuses: ['412', '428'] })
})

test('the counter is no field of a document that is sent', async () => {
  const { body } = await api.as(null)('GET', '/api/careful/openapi.json', { headers: { Accept: 'application/json' } })
  const fieldsOf = (name: string) =>
    Object.keys(body.components.schemas[name].properties.data.properties.attributes.properties)
  expect(fieldsOf('videos.update')).not.toContain('durationSeconds')
  expect(fieldsOf('videos.create')).not.toContain('durationSeconds')
})
