import { setTimeout as pause } from 'node:timers/promises'
import { type ApiOptions, array, meta, Policy, type Serving, string, type User } from 'prismapi'
import type { ServerParts } from 'prismapi/types'
import V1 from '../../src/app/v1/server.ts'
import TagSchema from '../../src/app/v1/tag.schema.ts'
import V2 from '../../src/app/v2/server.ts'
import { mediaType } from './api.ts'
import { type Ask, type TextAnswer, theExample } from './servers.ts'

// The example with servers that count what they do for requests with a key.

/** What hooks and actions did, in their order. */
export const done: string[] = []

class Tags extends TagSchema {
  override actions() {
    return [
      this.action('import', {
        on: 'collection',
        status: 201,
        rules: { names: array(string().required()).required() },
        async handle({ input, db, afterCommit }) {
          const tags = []
          for (const name of input.names) tags.push(await db.tag.create({ data: { name } }))
          afterCommit(() => void done.push(`imported ${input.names}`))
          done.push(`import ${input.names}`)
          if (input.names.includes('broken')) throw new Error('a bug')
          return tags
        },
      }),
      this.action('ping', { on: 'collection', handle: () => meta({ at: done.push('ping') }) }),
      this.action('slow', {
        on: 'collection',
        rules: { name: string().required() },
        async handle({ input: { name }, db, afterCommit }) {
          const isFirst = !done.includes(`began ${name}`)
          done.push(`began ${name}`)
          if (isFirst) await pause(1500)
          afterCommit(() => void done.push(`committed ${name}`))
          // Of which there may be two.
          await db.video.create({ data: { title: name, url: 'https://example.org/film' } })
          return meta({ name })
        },
      }),
      this.action('nothing', { on: 'collection', handle: () => void done.push('nothing') }),
    ]
  }
}

function count(phase: Serving): void {
  phase.created('Tag', ({ name }, { afterCommit }) => {
    done.push(`created ${name}`)
    afterCommit(() => void done.push(`committed ${name}`))
  })
}

export class Counting extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    count(phase)
  }
}

export class CountingOperations extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    count(phase)
  }
}

class TagPolicy extends Policy<'Tag'> {
  override create = (user: User | null) => user?.role === 'ADMIN'
  override update = (user: User | null) => user?.role === 'ADMIN'
  override view = () => true
  import = () => true
  ping = () => true
  nothing = () => true
  slow = () => true
}

/** The example's servers, with these in the place of those that have their names; tags have actions. */
export async function counting(
  ...own: readonly ServerParts['server'][]
): Promise<Pick<ApiOptions, 'servers' | 'policies'>> {
  const { policies, servers } = await theExample()
  const named = new Map(own.map((server) => [new server().name, server]))
  return {
    policies: new Map([...policies, ['Tag', TagPolicy]]),
    servers: servers.map((each) => ({
      ...each,
      server: named.get(new each.server().name) ?? each.server,
      schemas: new Map([...each.schemas, ['Tag', Tags as never]]),
    })),
  }
}

let made = 0
/** A name, or a key, that no other is like. */
export const fresh = (name = 'key'): string => `${name}-${++made}`

export const tagNamed = (name: string) => ({ data: { type: 'tags', attributes: { name } } })

interface Sent {
  readonly key: string
  readonly body?: unknown
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** POST with a key. */
export const postKeyed = (ask: Ask, { key, body, url = '/api/v1/tags', headers = {} }: Sent): Promise<TextAnswer> =>
  ask('POST', url, { headers: { 'Idempotency-Key': key, ...headers }, ...(body !== undefined && { body }) })

/** All that a client can tell two answers by, except that a repeat says that it is one. */
export function shownOf({ status, headers, text }: TextAnswer) {
  const own = Object.fromEntries(headers)
  for (const name of ['date', 'idempotency-replayed', 'connection', 'keep-alive']) delete own[name]
  return { status, headers: own, text }
}

export const replayed = ({ headers }: TextAnswer): string | null => headers.get('Idempotency-Replayed')

export const atomic = `${mediaType};ext="https://jsonapi.org/ext/atomic"`
