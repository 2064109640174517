import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/openapi/document.ts'
import type { CompiledServer } from '../../../src/server/compile.ts'
import { badParameter } from '../../support/answers.ts'
import { diff } from '../../support/api-files.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type Database, type Running, startServers, theExample } from '../../support/servers.ts'

let database: Database
let running: Running
beforeAll(async () => {
  database = await openTestDatabase()
  running = await startServers(database, await theExample())
})
afterAll(async () => {
  await running.close()
  await database.close()
})

const serverOf = (name: string) => running.api.servers.find((each) => each.name === name) as CompiledServer
const documentOf = async (query: string) => (await running.as(1)('GET', `/api/v1/openapi.json${query}`)).body

describe('a part of the OpenAPI document', () => {
  test('has the paths of its types as the whole has them, and what these refer to', async () => {
    const [whole, part] = [await documentOf(''), await documentOf('?types=tags,profiles')]
    const own = Object.keys(whole.paths).filter((path) =>
      /^\/api\/v1(\/openapi\.json|\/(tags|profiles)\b.*)?$/.test(path),
    )
    expect(Object.keys(part.paths)).toEqual(own)
    const { '/api/v1/openapi.json': itself, ...paths } = part.paths
    expect(whole.paths).toMatchObject(paths)
    expect(itself.get.parameters[0].schema.items.enum).toEqual(['profiles', 'tags'])
    expect(part.tags.map(({ name }: { name: string }) => name)).toEqual(['profiles', 'tags'])
    const { included, ...schemas } = part.components.schemas
    expect(whole.components.schemas).toMatchObject(schemas)
    expect(included.items.anyOf.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1))).toEqual(
      ['profiles', 'tags', 'users', 'posts', 'videos'].map((type) => `${type}.resource`),
    )
    expect(Object.keys(schemas)).not.toContain('comments.resource')
    expect(await new Validator().validate(part)).toEqual({ valid: true })
  })

  test('has another entity tag than others, and the same for the same types in another order', async () => {
    const tagOf = async (query: string) =>
      (await running.as(1)('GET', `/api/v1/openapi.json${query}`)).headers.get('ETag')
    const [one, same, other, whole] = [
      await tagOf('?types=tags,users'),
      await tagOf('?types=users&types=tags'),
      await tagOf('?types=tags'),
      await tagOf(''),
    ]
    expect(one).toBe(same)
    expect(new Set([one, other, whole]).size).toBe(3)
  })

  test.each(['/api/v1/openapi.json', '/api/v1/docs'])('of %s is one of types that there are', async (path) => {
    const { status, body } = await running.as(null)('GET', `${path}?types=tags,nonsense,`, {
      headers: { Accept: '*/*' },
    })
    const unknown = (type: string) => badParameter('types', `The server has no resource type ${type}.`)
    expect([status, body.errors]).toEqual([400, [unknown('nonsense'), unknown('')]])
  })
})

describe.each(['v1', 'v2'])('the OpenAPI document of %s, if it were one of many relations', (name) => {
  const whole = () => openApiDocument(serverOf(name), undefined, { isLarge: false })
  const large = () => openApiDocument(serverOf(name), undefined, { isLarge: true })

  test('tells the same, but for headers that every operation may have', async () => {
    const files = { 'whole.json': JSON.stringify(whole()), 'large.json': JSON.stringify(large()) }
    const { said } = await diff(files, 'whole.json', 'large.json')
    const [, , , ...changes] = said.split('\n').filter((line) => line.trim() !== '')
    expect(changes).toEqual(['    header If-None-Match, header If-Match: gone'])
    expect(files['large.json'].length * 3).toBeLessThan(files['whole.json'].length)
  })

  test('says that each operation may be answered by an error of the client and by one of the server', () => {
    const { paths, components } = large() as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
      readonly components: { readonly responses: Readonly<Record<string, object>> }
    }
    const operations = Object.values(paths).flatMap(({ parameters, ...methods }) => Object.values(methods))
    const failures = operations.map(({ responses }) =>
      Object.entries(responses).filter(([status]) => /^[45d]/.test(status)),
    )
    const error = { $ref: '#/components/responses/default' }
    expect(failures).toEqual(
      operations.map(() => [
        ['4XX', error],
        ['5XX', error],
      ]),
    )
    expect(components.responses.default).toMatchObject({
      content: { 'application/vnd.api+json': { schema: { $ref: '#/components/schemas/errors' } } },
    })
  })

  test('says once that a client which has the answer gets 304', () => {
    expect(large()).toMatchObject({
      info: { description: expect.stringContaining('GET takes `If-None-Match`, and may then be answered with 304.') },
    })
  })

  test('passes two validators', async () => {
    expect(await new Validator().validate(large())).toEqual({ valid: true })
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } })
    const problems = await lintFromString({ source: JSON.stringify(large()), config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
  })
})
