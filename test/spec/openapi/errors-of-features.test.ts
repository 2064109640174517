import { Server } from 'prismapi'
import { type Feature, FeatureKey, type OpenApiPart } from 'prismapi/features'
import { expect, test } from 'vitest'
import { plain, useServers } from '../../support/servers.ts'

// What a feature says of its errors stands in the document, whether it changes the paths or not.

class Told extends Server {
  override readonly name = 'told'
  override readonly models = ['Tag', 'Post'] as const
  override authorizable = () => false
}

const described = (name: string, part: OpenApiPart): Feature => ({
  compiled: { key: new FeatureKey(name), compile: () => name, openapi: () => part },
})
const retry = { 'Retry-After': { description: 'The seconds to wait.', schema: { type: 'string' } } }

const api = useServers(() => ({
  policies: new Map(),
  servers: [plain(Told)],
  features: [
    described('lock', { errors: { 423: { cause: 'Nothing is written now.' } } }),
    described('other', {
      errors: { 423: { cause: 'A row is locked.', headers: retry }, 451: { cause: 'It is secret.' } },
    }),
  ],
}))

test('the errors of features are in every operation, and those of one status in one response', async () => {
  const { body: document } = await api.as(null)('GET', '/api/told/openapi.json')
  const errors = { 423: { $ref: '#/components/responses/423' }, 451: { $ref: '#/components/responses/451' } }
  const operations = Object.entries<Record<string, { responses: object }>>(document.paths)
    .filter(([url]) => url.startsWith('/api/told/tags'))
    .flatMap(([, { parameters, ...item }]) => Object.values(item))
  expect(operations).toHaveLength(10)
  for (const { responses } of operations) expect(responses).toMatchObject(errors)
  expect(document.paths['/api/told'].get.responses).not.toHaveProperty('423')
  const content = { 'application/vnd.api+json': { schema: { $ref: '#/components/schemas/errors' } } }
  expect(document.components.responses).toMatchObject({
    423: { description: 'Locked. Nothing is written now. A row is locked.', headers: retry, content },
    451: { description: 'Unavailable For Legal Reasons. It is secret.', content },
  })
})
