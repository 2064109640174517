import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CompiledServer } from '../../../src/server/compile.ts'
import { allowOf } from '../../support/answers.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type Database, type Running, startServers, theExample } from '../../support/servers.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
type Part = any

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

const as = (user: number | null, method: string, path: string) => running.as(user)(method, path)

const serverOf = (name: string): CompiledServer =>
  running.api.servers.find((server) => server.name === name) as CompiledServer

/** Every path that a server could have by the names of its types, relations and actions, as a template. */
function candidates({ basePath, schemas }: CompiledServer): string[] {
  const all = [...schemas.byType.values()]
  const relations = new Set(all.flatMap((schema) => [...schema.relations.keys()]))
  const actions = new Set(all.flatMap((schema) => [...schema.actions.keys()]))
  return [
    ...['', '/openapi.json', '/operations'],
    ...all.flatMap(({ type }) => [
      ...['', '/{id}'].map((rest) => `/${type}${rest}`),
      ...[...relations].flatMap((name) => [`/${type}/{id}/${name}`, `/${type}/{id}/relationships/${name}`]),
      ...[...actions].flatMap((name) => [`/${type}/-actions/${name}`, `/${type}/{id}/-actions/${name}`]),
    ]),
  ].map((path) => basePath + path)
}

const idOf = (path: string): string => (path.includes('/videos/') ? '00000000-0000-4000-8000-000000000001' : '1')
const withId = (path: string): string => path.replace('{id}', idOf(path))

async function documentOf(name: string): Promise<Part> {
  return (await as(null, 'GET', `/api/${name}/openapi.json`)).body
}

const methodsOf = (item: Part): string[] =>
  Object.keys(item)
    .filter((key) => key !== 'parameters')
    .map((method) => method.toUpperCase())
    .sort()

function parametersOf(document: Part, operation: Part): Part[] {
  return (operation.parameters ?? []).map(({ $ref, ...parameter }: Part) =>
    $ref ? document.components.parameters[$ref.replace('#/components/parameters/', '')] : parameter,
  )
}

describe.each(['v1', 'v2'])('the OpenAPI document of %s', (name) => {
  test('has every path that is served with its methods, and no other', async () => {
    const served: Record<string, string[]> = {}
    for (const path of candidates(serverOf(name))) {
      const answer = await as(null, 'OPTIONS', withId(path))
      // HEAD goes without saying where there is GET.
      if (answer.status === 204) served[path] = [...allowOf(answer)].filter((method) => method !== 'HEAD').sort()
      else expect(answer.status).toBe(404)
    }
    const { paths } = await documentOf(name)
    const told = Object.fromEntries(Object.keys(paths).map((path) => [path, methodsOf(paths[path])]))
    expect(told).toEqual(served)
    expect(Object.keys(served).length).toBeGreaterThan(40)
  })

  test('has no operation that an administrator cannot find', async () => {
    const { paths } = await documentOf(name)
    for (const [path, item] of Object.entries<Part>(paths)) {
      for (const method of methodsOf(item)) {
        // An unknown parameter is refused before anything is written.
        const { status } = await as(1, method, `${withId(path)}${method === 'GET' ? '' : '?nonsense=1'}`)
        expect([method, path, status]).toEqual([method, path, method === 'GET' ? 200 : status])
        expect([404, 405]).not.toContain(status)
        expect(status).toBeLessThan(500)
      }
    }
  })

  test('has no parameter that is refused', async () => {
    const document = await documentOf(name)
    for (const [path, { get }] of Object.entries<Part>(document.paths)) {
      if (!get) continue
      for (const parameter of parametersOf(document, get)) {
        for (const value of valuesOf(parameter)) {
          const url = `${withId(path)}?${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`
          const { status, body } = await as(1, 'GET', url)
          expect([decodeURIComponent(url), status, body.errors]).toEqual([decodeURIComponent(url), 200, undefined])
        }
      }
    }
  }, 120_000)
})

/** Values that a parameter takes: each of an enumeration, the first name of a path, else one of the type. */
function valuesOf({ name, schema }: Part): string[] {
  // What a cursor is, only the server knows.
  if (/^page\[(after|before)\]$/.test(name)) return []
  if (schema.type === 'array') {
    const all = valuesOf({ name, schema: schema.items })
    return name.startsWith('fields') || name.startsWith('filter') ? [all.join()] : all
  }
  if (schema.anyOf) return schema.anyOf.flatMap((each: Part) => valuesOf({ name, schema: each }))
  if (schema.enum) return schema.enum
  // Paths: of sorts they lead to an id; scopes close some of them, which the tests of scopes are about.
  const heads = /^\^(-\?)?\(\?:([\w|]+)\)/.exec(schema.pattern ?? '')
  if (heads)
    return heads[1] ? (heads[2] as string).split('|').map((head) => `${head}.id`) : (heads[2] as string).split('|')
  if (name.startsWith('filter[id]') || /^filter\[\w+\]\[?/.test(name) === false) return ['1']
  return [{ boolean: 'true', integer: '1', number: '1.5' }[schema.type as string] ?? textOf(schema)]
}

const textOf = ({ format }: Part): string => (format === 'date-time' ? '2025-01-31T09:30:00Z' : '1')
