import { Validator } from '@seriousme/openapi-schema-validator'
import { Server } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/openapi/document.ts'
import { cursorSeal } from '../../../src/pagination/cursor-seal.ts'
import { findRoute } from '../../../src/request/routes.ts'
import { type CompiledServer, compileServer } from '../../../src/server/compile.ts'
import { compiledFeatures } from '../../../src/usual/compiled-features.ts'
import { fixtureNames, schemaText } from '../../support/any-schema/fixtures.ts'
import { schemaClasses } from '../../support/any-schema/schema-classes.ts'
import { largeSchema } from '../../support/large-schema.ts'
import { resourcesOf } from '../../support/resources-of.ts'

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
  test('has the methods that each path is served with, and each such path', () => {
    const server = serverOf(schemaText(name, 'postgresql'), name)
    const { '/api/v1': root, '/api/v1/openapi.json': own, ...paths } = openApiDocument(server).paths as Paths
    const told = Object.entries(paths).map(([path, item]) => [path, methodsOf(item)])
    expect([methodsOf(root), methodsOf(own)]).toEqual([['GET'], ['GET']])
    expect(Object.fromEntries(told)).toEqual(served(server))
  })

  test('is one, and names each operation once', async () => {
    const document = openApiDocument(serverOf(schemaText(name, 'postgresql'), name))
    expect(await new Validator().validate(document)).toEqual({ valid: true })
    const ids = JSON.stringify(document).match(/"operationId":"[^"]+"/g) ?? []
    expect(ids.length).toBeGreaterThan(2)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

test('what an id says is read-only among the attributes of a resource, and absent where one is written', () => {
  const { components } = openApiDocument(serverOf(schemaText('tenants', 'postgresql')))
  const { 'partners.resource': shown, 'partners.create': created } = (components as { schemas: Paths }).schemas
  expect(propertiesOf(shown, 'attributes')).toEqual({
    programId: { type: 'string', readOnly: true },
    partnerId: { type: 'string', readOnly: true },
    title: { type: ['string', 'null'] },
  })
  expect(propertiesOf(created, 'data', 'attributes')).toEqual({ title: { type: ['string', 'null'] } })
})

test('that of 200 models has an end', () => {
  expect(JSON.stringify(openApiDocument(serverOf(largeSchema()))).length).toBeLessThan(3_500_000)
})
