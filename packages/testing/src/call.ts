import { mediaType } from '@prismapi/openapi/responses'
import { sentBody, type TestBody } from './body.ts'
import {
  type Parameters,
  type ParameterValue,
  queryText,
  type TestFilter,
  valueText,
  withFilter,
  withListed,
  withParameter,
} from './parameters.ts'
import { type Answer, send } from './send.ts'
import type { Target } from './target.ts'

/**
 * A request that is sent when it is awaited, and again each time. It never changes: each method gives another one, so
 * that one can be the beginning of many.
 *
 * @example
 * const posts = client.get('/posts').sort('-createdAt')
 * const answer = await posts.include('author').filter({ title: { contains: 'ship' } }).page({ size: 5 })
 */
export interface Call extends PromiseLike<Answer> {
  /** Relationship paths; those of several calls add up (JSON:API, *Inclusion of Related Resources*). */
  include(...paths: readonly string[]): Call
  /** The fields to show by type. */
  fields(fields: Readonly<Record<string, readonly string[]>>): Call
  /** Conditions; those of several calls add up, and of the same name the last one counts. */
  filter(filter: TestFilter): Call
  /** Fields to sort by, `-createdAt` descending; those of several calls add up. */
  sort(...keys: readonly string[]): Call
  /** The parameters of the page, `{ number: 2, size: 10 }`. */
  page(page: Readonly<Record<string, string | number>>): Call
  /** Relationships whose resources are counted. */
  withCount(...relations: readonly string[]): Call
  /** Any other parameters, by their whole names. */
  query(parameters: Readonly<Record<string, ParameterValue | readonly ParameterValue[]>>): Call
  /** A header; null takes away one that would be sent. */
  header(name: string, value: string | null): Call
}

/** What a call is made of. */
export interface CallParts {
  readonly target: Target
  readonly method: string
  /** From the origin on, maybe with a query. */
  readonly path: string
  readonly parameters: Parameters
  /** By names in lower case. */
  readonly headers: TestHeaders
  readonly body?: TestBody
  /** The headers that tell who asks. */
  readonly credentials: () => Promise<Readonly<Record<string, string>>>
}

export type TestHeaders = Readonly<Record<string, string | null>>

/** The headers with one more, whatever the case of its name. */
export const withHeader = (headers: TestHeaders, name: string, value: string | null): TestHeaders => ({
  ...headers,
  [name.toLowerCase()]: value,
})

export function callOf(parts: CallParts): Call {
  const { parameters } = parts
  const having = (changed: Parameters): Call => callOf({ ...parts, parameters: changed })
  return Object.freeze({
    include: (...paths) => having(withListed(parameters, 'include', paths)),
    fields: (fields) =>
      having(
        Object.entries(fields).reduce(
          (all, [type, names]) => withParameter(all, `fields[${type}]`, names.join(',')),
          parameters,
        ),
      ),
    filter: (filter) => having(withFilter(parameters, filter)),
    sort: (...keys) => having(withListed(parameters, 'sort', keys)),
    page: (page) =>
      having(
        Object.entries(page).reduce(
          (all, [key, value]) => withParameter(all, `page[${key}]`, valueText(value, `page[${key}]`)),
          parameters,
        ),
      ),
    withCount: (...relations) => having(withListed(parameters, 'withCount', relations)),
    query: (more) =>
      having(
        Object.entries(more).reduce(
          (all, [name, value]) => withParameter(all, name, valueText(value, name)),
          parameters,
        ),
      ),
    header: (name, value) => callOf({ ...parts, headers: withHeader(parts.headers, name, value) }),
    // biome-ignore lint/suspicious/noThenProperty: it is there to be awaited
    then: (onAnswer, onError) => perform(parts).then(onAnswer, onError),
  } satisfies Call)
}

async function perform({ target, method, path, parameters, body, ...parts }: CallParts): Promise<Answer> {
  const sent = body === undefined ? null : await sentBody(body)
  const headers = {
    accept: mediaType,
    ...(sent && { 'content-type': sent.type }),
    ...lowerCased(await parts.credentials()),
    ...parts.headers,
  }
  return send(target, {
    method,
    path: path + queryText(parameters, path),
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
    ...(sent && (typeof sent.content === 'string' ? { body: sent.content } : { bytes: sent.content })),
  })
}

const lowerCased = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
