import { documentFaults } from '@prismapi/testing/internal/kit/judges/document-faults'
import type { Expected } from '@prismapi/testing/internal/kit/judges/judged'
import { expect } from 'vitest'
import { origin, type Send, useApi, users } from './api.ts'
import { type RawAnswer, type RawSend, raw } from './raw.ts'
import { snapshot } from './snapshot.ts'

// The example's two servers for the tests of JSON:API itself. Every answer is judged as a document before a test sees it.
// The keys and numbers in the names of tests ("J5 (58)") are those of the sections of a checklist of the specification.

export const mediaType = 'application/vnd.api+json'

export interface Version {
  readonly name: 'v1' | 'v2'
  readonly version: '1.0' | '1.1'
  /** What the text of a post is called. */
  readonly text: 'content' | 'body'
}

export const v1: Version = { name: 'v1', version: '1.0', text: 'content' }
export const v2: Version = { name: 'v2', version: '1.1', text: 'body' }
export const versions: readonly Version[] = [v1, v2]

const foreignKeys = ['authorId', 'postId', 'videoId', 'ownerId', 'userId']
const toMany = /^(posts|tags|comments|videos)$/

/** What the URL says of the primary data. */
function primaryOf(method: string, path: string): Expected['primary'] {
  const [, , , type, id, relation, name] = path.split('?')[0]?.split('/') ?? []
  if (relation === 'relationships') return toMany.test(name ?? '') ? 'identifiers' : 'identifier'
  if (relation !== undefined) return relation.startsWith('-') ? null : toMany.test(relation) ? 'resources' : 'resource'
  if (id !== undefined) return id.startsWith('-') ? null : 'resource'
  if (type === undefined || /filter(\[|%5B)slug/i.test(path)) return null
  return method === 'GET' ? 'resources' : 'resource'
}

export interface ConformanceSend extends Omit<Send, 'body'> {
  readonly body?: unknown
  /** Who asks: an administrator unless it is said; null for a guest. */
  readonly as?: number | null
}

/** Both servers over one database, for the tests of one file. */
export function useConformance() {
  const api = useApi()

  async function send(version: Version, method: string, path: string, options: RawSend): Promise<RawAnswer> {
    const url = `/api/${version.name}${path}`
    const answer = await raw(api.url(url), { method, ...options })
    const judged = {
      method,
      url,
      status: answer.status,
      header: (name: string) => (answer.headers[name] as string | undefined) ?? null,
      text: answer.body === undefined ? '' : JSON.stringify(answer.body),
      ...(typeof options.body === 'string' && { sent: options.body }),
    }
    const primary = primaryOf(method, url)
    expect({ asked: `${method} ${url}`, faults: documentFaults(judged, { ...version, primary, foreignKeys }) }).toEqual(
      {
        asked: `${method} ${url}`,
        faults: [],
      },
    )
    return answer
  }

  /** A request with the headers that every client sends, unless others are given. */
  async function ask(version: Version, method: string, path: string, sent: ConformanceSend = {}): Promise<RawAnswer> {
    const { as = users.admin, body, headers = {} } = sent
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    return send(version, method, path, {
      headers: {
        Accept: mediaType,
        ...(text !== undefined && { 'Content-Type': mediaType }),
        ...(text !== undefined && { 'Content-Length': String(Buffer.byteLength(text)) }),
        ...(as !== null && { Authorization: await api.authorization(as) }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    })
  }

  /** A request after which every row is as it was. */
  async function refuse(version: Version, method: string, path: string, sent?: ConformanceSend): Promise<RawAnswer> {
    const before = await snapshot(api.db)
    const answer = await ask(version, method, path, sent)
    expect(await snapshot(api.db)).toEqual(before)
    return answer
  }

  return {
    /** A request with no header but those that are given. */
    send,
    ask,
    refuse,
    get: (version: Version, path: string, sent?: ConformanceSend) => ask(version, 'GET', path, sent),
    /** Follows a link of a document. */
    follow: (version: Version, link: string) => {
      const base = `${origin}/api/${version.name}`
      expect(link.startsWith(base)).toBe(true)
      return ask(version, 'GET', link.slice(base.length))
    },
    authorization: api.authorization,
    get db() {
      return api.db
    },
  }
}

/** Every resource of the first page with its identity alone. */
export const idsOf = ({ body }: RawAnswer): string[] => body.data.map(({ id }: { id: string }) => id)

/** What a refused request says of where it is wrong. */
export const parametersOf = ({ status, body }: RawAnswer) => ({
  status,
  parameters: (body.errors ?? []).map(({ source }: { source?: { parameter?: string } }) => source?.parameter),
})

/** The same of a refused document. */
export const pointersOf = ({ status, body }: RawAnswer) => ({
  status,
  pointers: (body.errors ?? []).map(({ source }: { source?: { pointer?: string } }) => source?.pointer),
})

export const identifier = (type: string, id: string | number) => ({ type, id: String(id) })

let made = 0
/** A post that may be created: no other has its slug. */
export const newPost = (version: Version, more: object = {}) => ({
  type: 'posts',
  attributes: { title: 'A post', slug: `conformance-${++made}`, [version.text]: 'Text', ...more },
})
