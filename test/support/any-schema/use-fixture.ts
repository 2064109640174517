import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import type { Server, Serving } from 'prismapi'
import type { RequestClasses } from 'prismapi/rules'
import { afterAll, beforeAll } from 'vitest'
import { databases, type FixtureDatabase } from './databases.ts'
import { type FixtureProvider, schemaOf } from './fixtures.ts'
import { generate, generateIn } from './generate.ts'
import { type Ask, type Policies, type Served, serve } from './open.ts'

interface Parts {
  readonly provider?: FixtureProvider
  readonly schemas?: Readonly<Record<string, SchemaClass>>
  readonly serving?: (phase: Serving) => void
  readonly version?: Server['version']
  readonly reads?: Server['reads']
  /** By model. Without any, everybody may do everything. */
  readonly policies?: Policies
  readonly requests?: Readonly<Record<string, RequestClasses>>
  /** Those that are served; all, where it is left out. */
  readonly models?: readonly string[]
  /** Whether there are streams, of a model Change and the triggers that a test makes. */
  readonly live?: boolean
}

/** A fixture by its name, or models that are written as those of one, on SQLite by default, served for the tests of one file. */
export function useFixture(fixture: string, parts: Parts = {}) {
  const { provider = 'sqlite', schemas = {}, serving = () => {}, ...more } = parts
  let database: FixtureDatabase
  let served: Served
  const below = mkdtempSync(path.join(tmpdir(), 'prismapi-schema-'))

  beforeAll(async () => {
    const generated = fixture.includes('model ')
      ? await generateIn(path.join(below, 'written'), schemaOf(fixture, provider))
      : await generate(fixture, provider, below)
    database = await databases[provider](generated)
    served = await serve(generated, database.clients, schemas, serving, more)
  })
  afterAll(async () => {
    await served?.close()
    await database?.close()
    rmSync(below, { recursive: true })
  })

  const ask: Ask = (method, url, body) => served.ask(method, url, body)
  return {
    ask,
    /** Of a path below the server's. */
    url: (path: string) => served.at + path,
    execute: (sql: string) => database.execute(sql),
    get resources() {
      return served.resources
    },
    /** All that tables hold, by models, in the order of their keys. */
    async rows(...models: readonly string[]): Promise<Readonly<Record<string, readonly object[]>>> {
      const { clients } = database
      const client = 'writer' in clients ? clients.writer : clients
      const rowsOf = (model: string) => {
        const orderBy = served.resources.models[model]?.key.map((column) => ({ [column]: 'asc' }))
        return delegateOf(client as unknown as Parameters<typeof delegateOf>[0], model).findMany({ orderBy })
      }
      return Object.fromEntries(await Promise.all(models.map(async (model) => [model, await rowsOf(model)])))
    },
    /** Creates a resource, and answers with its id. */
    async create(type: string, attributes: object, relationships: object = {}, more: object = {}): Promise<string> {
      const { status, body } = await ask('POST', `/${type}`, { data: { type, ...more, attributes, relationships } })
      if (status !== 201) throw new Error(`POST /${type} answered ${status}: ${JSON.stringify(body)}`)
      return body.data.id
    },
    /** The identifiers that a relationship's URL shows. */
    async linkage(url: string): Promise<unknown> {
      return (await ask('GET', url)).body.data
    },
  }
}

/** `to('tags', '1', '2')`: a to-many relationship. */
export const to = (type: string, ...ids: readonly string[]) => ({ data: ids.map((id) => ({ type, id })) })
/** A to-one relationship. */
export const toOne = (type: string, id: string | null) => ({ data: id === null ? null : { type, id } })
