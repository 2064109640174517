import { isToMany } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { type Described, headerRef, type Part, type Paths, parameterRef, responseRef, schemaRef } from './described.ts'

// Each relation that leads to a collection lists what the collection can be asked: of many relations that is most of the document.
const mostRelations = 100

/** Do the types have so many relations that their document says what operations share once, and has one parameter for a family. */
export function hasManyRelations(schemas: readonly ResourceSchema[]): boolean {
  const lists = schemas.map(({ relations }) => [...relations.values()].filter(isToMany).length)
  return lists.reduce((sum, count) => sum + count, 0) > mostRelations
}

/** Parts that several places of one document have, each under one name; the dash keeps it apart from the names of types. */
export class SharedParts {
  readonly #names = new Map<string, string>()
  readonly #parts: Record<string, Part> = {}

  /** The name of the part. */
  nameOf(part: Part): string {
    const text = JSON.stringify(part)
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = `-${this.#names.size + 1}`
    this.#names.set(text, name)
    this.#parts[name] = part
    return name
  }

  get parts(): Readonly<Record<string, Part>> {
    return this.#parts
  }
}

/** What the operations of one compact document share. */
export interface Shared {
  readonly schemas: SharedParts
  readonly parameters: SharedParts
  readonly responses: SharedParts
  readonly requestBodies: SharedParts
}

export const sharedParts = (): Shared => ({
  schemas: new SharedParts(),
  parameters: new SharedParts(),
  responses: new SharedParts(),
  requestBodies: new SharedParts(),
})

/** What `info` says of a large document. */
export const saidOfShared =
  'Comparisons are `filter[<field>]=<value>` and `filter[<field>][<operator>]=<value>`; what takes several values takes a comma list. Every operation may be answered by an error, whatever its status. GET takes `If-None-Match`, and may then be answered with 304. What changes a resource takes `If-Match`.'

/**
 * The paths of a large document: what operations have in common stands in its components, errors are `4XX` and `5XX`, and the
 * headers that every operation may have are said once.
 */
export function withSharedParts({ shared }: Described, paths: Paths): Paths {
  if (shared === null) return paths
  return Object.fromEntries(Object.entries(paths).map(([url, item]) => [url, itemOf(shared, item)]))
}

const itemOf = (shared: Shared, item: Part): Part =>
  Object.fromEntries(
    Object.entries(item).map(([name, part]) => [
      name,
      name === 'parameters' ? part : operationOf(shared, part as Part),
    ]),
  )

function operationOf(shared: Shared, { parameters, requestBody, responses, ...operation }: Part): Part {
  const listed = (parameters as readonly Part[] | undefined)
    ?.filter(({ $ref }) => !everywhere.has($ref))
    .map((parameter) => (isRef(parameter) ? parameter : parameterRef(shared.parameters.nameOf(parameter))))
  return {
    ...operation,
    ...(listed && listed.length > 0 && { parameters: listed }),
    ...(requestBody !== undefined && {
      requestBody: { $ref: `#/components/requestBodies/${shared.requestBodies.nameOf(requestBody as Part)}` },
    }),
    responses: Object.fromEntries(
      Object.entries(responses as Readonly<Record<string, Part>>)
        .filter(([status, response]) => status === 'default' || !isRef(response))
        .flatMap(([status, response]) =>
          status === 'default'
            ? failures.map((range) => [range, response])
            : [[status, responseRef(shared.responses.nameOf(shortAnswer(response)))]],
        ),
    ),
  }
}

// Not `default`: validators ask for an error of the client by its status.
const failures = ['4XX', '5XX']

function shortAnswer({ content, ...response }: Part): Part {
  if (content === undefined) return response
  const headers = response.headers as Part | undefined
  const known = headers?.ETag === undefined ? {} : { headers: { ...headers, ETag: headerRef('ETag') } }
  const bodies = Object.entries(content as Readonly<Record<string, { readonly schema: Part }>>)
  return {
    ...response,
    ...known,
    content: Object.fromEntries(bodies.map(([type, { schema }]) => [type, { schema: shortDocument(schema) }])),
  }
}

/** A document as `document`, which all of them are, and its primary data. */
export function shortDocument(schema: Part): Part {
  const { jsonapi, data, meta } = (schema.properties ?? {}) as Readonly<Record<string, Part>>
  if (jsonapi === undefined || data === undefined || meta?.$ref !== schemaRef('meta').$ref) return schema
  return { allOf: [schemaRef('document')], properties: { data } }
}

const everywhere: ReadonlySet<unknown> = new Set(['If-None-Match', 'If-Match'].map((name) => parameterRef(name).$ref))

// A reference is as long.
const longEnough = 42

/** The members of a resource, or of one that is sent: what several of them have is said once. */
export function withSharedMembers(
  { shared }: Pick<Described, 'shared'>,
  members: ReadonlyMap<string, Part> | readonly (readonly [string, Part])[],
): Part {
  const entries = [...members]
  if (shared === null) return Object.fromEntries(entries)
  const share = (schema: Part) =>
    isRef(schema) || JSON.stringify(schema).length < longEnough ? schema : schemaRef(shared.schemas.nameOf(schema))
  return Object.fromEntries(entries.map(([name, schema]) => [name, share(schema)]))
}

const isRef = (part: Part): boolean => '$ref' in part
