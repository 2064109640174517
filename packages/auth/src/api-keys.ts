import { badRequest } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { User } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Context } from 'koa'
import { type Authenticator, refused, tokenLike } from './credentials.ts'
import { newSecret, storedTokens, type TokenClients } from './stored-tokens.ts'
import type { TokenScopes } from './token-scopes.ts'

/** Where the keys of an application are, and what they may be used for. */
export interface ApiKeyOptions {
  readonly resources: Resources
  /** Prisma clients: keys are read by the reader, and written by the writer. */
  readonly clients: TokenClients
  /** The model of the keys; by default `ApiKey`. */
  readonly model?: string
  /** The relation of that model to the owner of a key; by default `user`. */
  readonly user?: string
  /** The columns of the owner that policies get: `{ id: true, role: true }`. */
  readonly select: Readonly<Record<string, true>>
  /** What keys begin with, before an underscore; by default `pk`. */
  readonly prefix?: string
  /** What the scopes of keys let them be used for. Left out, a key may do what its owner may. */
  readonly scopes?: TokenScopes
}

/** A new key: `key` is the only time that it is told. */
export interface NewApiKey {
  readonly id: unknown
  readonly key: string
  /** What shows which key it is. It is stored. */
  readonly prefix: string
}

/** What a new key is called and may do. */
export interface ApiKeyInput {
  /** The id of its owner. */
  readonly owner: unknown
  /** What its owner calls it. */
  readonly name: string
  readonly scopes?: readonly string[]
  /** Left out, it is good until it is revoked. */
  readonly expiresAt?: Date
}

/** Signs in by API keys, and makes and revokes them. */
export interface ApiKeys extends Authenticator<User> {
  /** @throws {Error} for a scope that the application has not declared. */
  create(input: ApiKeyInput): Promise<NewApiKey>
  /** Ends a key by its id, at once and in all processes. False if there is none, or none that is good. */
  revoke(id: unknown): Promise<boolean>
}

/**
 * Signs in by keys that an application gives out: `Authorization: Bearer pk_…`. The database has a digest of each key,
 * and its beginning, which shows which one it is. A key is over when it expires, is revoked, or loses its owner.
 * `lastUsedAt` is written once a minute at most.
 *
 * @throws {JsonApiError} 401 for a key that is not good; 400 for one in the URL, where logs keep it.
 * @throws {Error} at startup, for a model that lacks what it needs, or that is not hidden.
 * @example
 * declare const resources: Resources // of prisma/generated/resources.ts
 * declare const clients: { reader: object; writer: object }
 *
 * const keys = apiKeys({ resources, clients, select: { id: true, name: true, role: true } })
 * const { key } = await keys.create({ owner: 3, name: 'The nightly import' })
 */
export function apiKeys(options: ApiKeyOptions): ApiKeys {
  const { model = 'ApiKey', user = 'user', select, prefix = 'pk', scopes } = options
  if (!/^[a-z][a-z0-9]*$/i.test(prefix))
    throw new Error(`apiKeys({ prefix }): "${prefix}" needs letters and digits alone.`)
  const unchanged = ['revokedAt', 'expiresAt', ...(scopes ? ['scopes'] : [])]
  const stored = storedTokens(options, { model, user, select }, { unchanged, by: 'apiKeys' })
  const hasScopes = options.resources.models[model]?.columns.scopes !== undefined
  const start = `${prefix}_`
  const inUrl = new RegExp(`[=/]${prefix}_[\\w-]{8,}`)
  const authenticate = async (ctx: Context): Promise<User | null> => {
    if (inUrl.test(ctx.originalUrl))
      throw badRequest(say`Send the key in Authorization. URLs are kept in logs: revoke this key.`)
    const key = tokenLike(ctx, (token) => token.startsWith(start))
    if (key === null) return null
    const found = await stored.find(key)
    if (found === null) throw refused()
    return (scopes ? scopes.limit(found.user, listOf(found.token)) : found.user) as unknown as User
  }
  return Object.assign(authenticate, {
    async create({ owner, name, scopes: wanted = [], expiresAt }: ApiKeyInput): Promise<NewApiKey> {
      const unknown = wanted.find((scope) => !scopes?.names.includes(scope))
      if (unknown !== undefined)
        throw new Error(`apiKeys.create: there is no scope "${unknown}". Known: ${scopes?.names.join(', ') ?? 'none'}.`)
      const key = start + newSecret()
      const shown = key.slice(0, start.length + shownLength)
      const data = { name, prefix: shown, expiresAt: expiresAt ?? null, ...(hasScopes && { scopes: wanted.join(' ') }) }
      const { id } = await stored.add(owner, key, data)
      return { id, key, prefix: shown }
    },
    async revoke(id: unknown): Promise<boolean> {
      const { count } = await stored.rows.updateMany({
        where: { id, revokedAt: null },
        data: { revokedAt: new Date() },
      })
      return count > 0
    },
  })
}

/** Of the secret so much is stored that its owner knows it again: 36 bits of 256. */
const shownLength = 6

const listOf = ({ scopes }: Row): readonly string[] =>
  String(scopes ?? '')
    .split(' ')
    .filter((name) => name !== '')
