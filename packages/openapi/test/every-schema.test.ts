import { type CompiledServer, compileServer } from '@prismapi/core/server/compile'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import { findRoute } from '@prismapi/jsonapi/request/operation'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Server } from 'prismapi'
import { compiledFeatures } from 'prismapi/internal/usual/compiled-features'
import { describe, expect, test } from 'vitest'
import { fixtureNames, schemaText } from '../../../test/support/any-schema/fixtures.ts'
import { schemaClasses } from '../../../test/support/any-schema/schema-classes.ts'
import { resourcesOf } from '../../../test/support/resources-of.ts'
import { openApiDocument } from '../src/document.ts'

class V1 extends Server {
  override readonly name = 'v1'
}

const say = () => {}
const logger = { debug: say, info: say, warn: say, error: say }
const environment = { policies: new Map(), baseUrl: 'https://a.example', production: true, logger }

function serverOf(schema: string, name = '') {
  const resources = resourcesOf(schema, 'postgresql')
  const schemas = new Map(Object.entries(schemaClasses[name] ?? {}))
  const parts = { server: V1, schemas, authorizers: new Map(), requests: new Map() }
  return compileServer(parts, { ...environment, resources, cursorSeal: cursorSeal(null), features: compiledFeatures })
}

/** The properties of a member of a schema, or of one deeper inside. */
function propertiesOf(schema: unknown, ...path: readonly string[]): unknown {
  const { properties } = schema as { properties: Readonly<Record<string, unknown>> }
  const [name, ...rest] = path
  return name === undefined ? properties : propertiesOf(properties[name], ...rest)
}

type Paths = Readonly<Record<string, object>>

const methodsOf = (item: object | undefined): string[] =>
  Object.keys(item ?? {})
    .filter((key) => key !== 'parameters')
    .map((method) => method.toUpperCase())
    .sort()

/** What the routes of a server's types answer to; HEAD goes without saying. */
function served({ schemas }: CompiledServer): Readonly<Record<string, string[]>> {
  const paths = [...schemas.byType.values()].flatMap(({ type, relations, actions }) => [
    `/${type}`,
    `/${type}/{id}`,
    ...[...relations.keys()].flatMap((relation) => [
      `/${type}/{id}/${relation}`,
      `/${type}/{id}/relationships/${relation}`,
    ]),
    ...[...actions.values()].map(({ name, on }) => `/${type}${on === 'member' ? '/{id}' : ''}/-actions/${name}`),
  ])
  const methods = (path: string) =>
    Object.keys(findRoute(schemas, path)?.kinds ?? {})
      .filter((method) => method !== 'HEAD')
      .sort()
  return Object.fromEntries(paths.map((path) => [`/api/v1${path}`, methods(path)]))
}

describe.each(fixtureNames)('the OpenAPI document of the schema %s', (name) => {
  const server = serverOf(schemaText(name, 'postgresql'), name)
  const whole = openApiDocument(server)

  test('has the methods that each path is served with, and each such path', () => {
    const { '/api/v1': root, '/api/v1/openapi.json': own, ...paths } = whole.paths as Paths
    const told = Object.entries(paths).map(([path, item]) => [path, methodsOf(item)])
    expect([methodsOf(root), methodsOf(own)]).toEqual([['GET'], ['GET']])
    expect(Object.fromEntries(told)).toEqual(served(server))
  })

  test('is one, and names each operation once', async () => {
    expect(await new Validator().validate(whole)).toEqual({ valid: true })
    const ids = JSON.stringify(whole).match(/"operationId":"[^"]+"/g) ?? []
    expect(ids.length).toBeGreaterThan(2)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

test('what an id says is read-only among the attributes of a resource, and a way to say the id where one is made', () => {
  const { components } = openApiDocument(serverOf(schemaText('tenants', 'postgresql')))
  const { 'partners.resource': shown, 'partners.create': created } = (components as { schemas: Paths }).schemas
  expect(propertiesOf(shown, 'attributes')).toEqual({
    programId: { type: 'string', readOnly: true },
    partnerId: { type: 'string', readOnly: true },
    title: { type: ['string', 'null'] },
  })
  expect(propertiesOf(created, 'data', 'attributes')).toEqual({
    programId: { type: 'string' },
    partnerId: { type: 'string' },
    title: { type: ['string', 'null'] },
  })
  expect(created).toMatchObject({ properties: { data: { required: ['type'] } } })
  expect(propertiesOf(created, 'data')).toMatchObject({
    id: { description: 'May be left out where the attributes, and the relationships, say all of its parts.' },
  })
})
