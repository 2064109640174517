import type { CompiledServer } from '@prismapi/core/server/compile'
import { openApiDocument } from '@prismapi/openapi/document'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowOf } from '../../support/answers.ts'
import { openTestDatabase } from '../../support/database.ts'
import { partOf } from '../../support/night.ts'
import { type Database, type Running, startServers, theExample } from '../../support/servers.ts'
import { toldOperations } from '../../support/told-operations.ts'

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
    ...all.flatMap(({ type, statistics }) => [
      ...(statistics ? [`/${type}/-stats`] : []),
      ...['', '/{id}'].map((rest) => `/${type}${rest}`),
      ...[...relations].flatMap((name) => [`/${type}/{id}/${name}`, `/${type}/{id}/relationships/${name}`]),
      ...[...actions].flatMap((name) => [`/${type}/-actions/${name}`, `/${type}/{id}/-actions/${name}`]),
    ]),
  ].map((path) => basePath + path)
}

const idOf = (path: string, row: number): string =>
  path.includes('/videos/') ? `00000000-0000-4000-8000-${String(row).padStart(12, '0')}` : String(row)
const withId = (path: string, row = 1): string => path.replace('{id}', idOf(path, row))

async function everyRow(path: string, isSo: (row: number) => Promise<boolean>): Promise<boolean> {
  for (let row = 1; row <= (path.includes('{id}') ? 10 : 1); row++) if (!(await isSo(row))) return false
  return true
}

async function documentOf(name: string, user: number | null): Promise<Part> {
  return (await as(user, 'GET', `/api/${name}/openapi.json`)).body
}

/** All that the server has, whoever asks. */
const wholeDocument = (name: string): Part => openApiDocument(serverOf(name))

/** What each caller is told of and may do with no row: an authorizer or a policy's method decides, or none is theirs. */
const refusedAfterAll: Readonly<Record<string, readonly string[]>> = {
  'v1 of a guest': ['posts.tags.attach', 'posts.tags.updateRelationship'],
  'v1 of an administrator': ['comments.update'],
  'v2 of a guest': ['posts.tags.attach', 'posts.tags.updateRelationship'],
  'v2 of an administrator': ['comments.update'],
}

/** A document where one is due: without any, nobody is asked for permission. */
const sentBy = (path: string, method: string, data: null | []) =>
  method === 'POST' || method === 'PATCH' || (method === 'DELETE' && path.includes('/relationships/'))
    ? { body: { data } }
    : {}

const callers = [
  ['a guest', null],
  ['a member', 3],
  ['an administrator', 1],
] as const

const methodsOf = (item: Part): string[] =>
  Object.keys(item)
    .filter((key) => key !== 'parameters')
    .map((method) => method.toUpperCase())
    .sort()

/** The parameters of an operation by their whole names: one of an object stands for each of its members. */
function parametersOf(document: Part, operation: Part): Part[] {
  const whole = (part: Part): Part =>
    part?.$ref ? { ...document.components[part.$ref.split('/')[2]][part.$ref.split('/')[3]] } : part
  const membersOf = (name: string, schema: Part): Part[] =>
    (schema.anyOf ?? [schema]).flatMap((form: Part) =>
      form.type === 'object'
        ? Object.entries<Part>(form.properties ?? {}).flatMap(([key, each]) =>
            membersOf(`${name}[${key}]`, whole(each)),
          )
        : [{ name, in: 'query', schema: form }],
    )
  return (operation.parameters ?? [])
    .map(whole)
    .flatMap((parameter: Part) =>
      parameter.style === 'deepObject' ? membersOf(parameter.name, whole(parameter.schema)) : [parameter],
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
    const { paths } = wholeDocument(name)
    const told = Object.fromEntries(Object.keys(paths).map((path) => [path, methodsOf(paths[path])]))
    expect(told).toEqual(served)
    expect(Object.keys(served).length).toBeGreaterThan(40)
  })

  test('has no operation that an administrator cannot find', async () => {
    const { paths } = await documentOf(name, 1)
    for (const [path, item] of Object.entries<Part>(paths)) {
      for (const method of methodsOf(item)) {
        // An unknown parameter is refused before anything is written.
        const query = method === 'GET' ? neededBy(item.get) : '?nonsense=1'
        const { status } = await as(1, method, `${withId(path)}${query}`)
        expect([method, path, status]).toEqual([method, path, method === 'GET' ? 200 : status])
        expect([404, 405]).not.toContain(status)
        expect(status).toBeLessThan(500)
      }
    }
  })

  test.each(callers)(
    'has, for %s, what they may do with some row, and nothing else',
    async (caller, user) => {
      const told = new Set(toldOperations(await documentOf(name, user)).map(({ id }) => id))
      const refused: string[] = []
      const whole = wholeDocument(name)
      for (const { path, method, id } of toldOperations(whole)) {
        const isRefused = async (url: string, data: null | [] = null) => {
          const { status } = await running.as(user)(method, url, sentBy(path, method, data))
          expect(status).toBeLessThan(500)
          return status === 403 || status === 404
        }
        // What is refused can be sent as it is: a rule that is missing is found out last.
        const isToMany = path.includes('/relationships/') && whole.paths[path].post !== undefined
        if (!told.has(id)) expect([id, await isRefused(withId(path), isToMany ? [] : null)]).toEqual([id, true])
        // An unknown parameter is refused after authorization, and before anything is written.
        else if (await everyRow(path, (row) => isRefused(`${withId(path, row)}?nonsense=1`))) refused.push(id)
      }
      expect(told.size).toBeGreaterThan(20)
      expect(refused.sort()).toEqual(refusedAfterAll[`${name} of ${caller}`] ?? [])
    },
    60_000,
  )

  test.each(partOf(callers))(
    'has no parameter that is refused to %s',
    async (_, user) => {
      const document = await documentOf(name, user)
      for (const [path, { get }] of Object.entries<Part>(document.paths)) {
        if (!get) continue
        for (const parameter of parametersOf(document, get)) {
          if (parameter.in === 'header') continue
          for (const value of valuesOf(parameter, path)) {
            const isRank = parameter.name === 'sort' && /^-?search$/.test(value)
            const needed = isRank ? '&filter[search]=post' : neededBy(get).replace('?', '&')
            const rest = parameter.required ? '' : needed
            const url = `${withId(path)}?${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}${rest}`
            const { status, body } = await as(user, 'GET', url)
            expect([decodeURIComponent(url), status, body.errors]).toEqual([decodeURIComponent(url), 200, undefined])
          }
        }
      }
    },
    120_000,
  )
})

/** The query that a path cannot do without. */
function neededBy({ parameters = [] }: Part): string {
  const needed = parameters.filter(({ in: place, required }: Part) => place === 'query' && required)
  return needed.length === 0 ? '' : `?${needed.map((each: Part) => `${each.name}=${valuesOf(each)[0]}`).join('&')}`
}

/** Values that a parameter takes: each of an enumeration, the first name of a path, else one of the type. */
function valuesOf({ name, schema }: Part, path = ''): string[] {
  // What a cursor is, only the server knows.
  if (/^page\[(after|before)\]$/.test(name)) return []
  // What the linkage of a relation includes begins with it.
  const linked = /\/relationships\/(\w+)$/.exec(path)?.[1]
  if (name === 'include' && linked) return [linked]
  if (schema.items) {
    const all = valuesOf({ name, schema: schema.items })
    if (name === 'include') return inTwenties(all)
    return name.startsWith('fields') || name.startsWith('filter') ? [all.join()] : all
  }
  if (schema.anyOf) return schema.anyOf.flatMap((each: Part) => valuesOf({ name, schema: each }))
  if (schema.enum) return schema.enum
  // Paths: of sorts they lead to an id; scopes close some of them, which the tests of scopes are about.
  const heads = /^\^(-\?)?\(\?:(?:\(\?:)?([\w|]+)\)/.exec(schema.pattern ?? '')
  if (heads)
    return heads[1] ? (heads[2] as string).split('|').map((head) => `${head}.id`) : (heads[2] as string).split('|')
  if (name.startsWith('filter[id]') || /^filter\[\w+\]\[?/.test(name) === false) return ['1']
  return [{ boolean: 'true', integer: '1', number: '1.5' }[schema.type as string] ?? textOf(schema)]
}

/** As many paths as one request may include. */
const inTwenties = (paths: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(paths.length / 20) }, (_, index) => paths.slice(index * 20, index * 20 + 20).join())

const textOf = ({ format }: Part): string => (format === 'date-time' ? '2025-01-31T09:30:00Z' : '1')
