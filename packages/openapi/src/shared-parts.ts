import { createHash } from 'node:crypto'
import { eachOperation } from '@prismapi/core/server/open-api-part'
import { type Described, type Part, type Paths, parameterRef, responseRef, schemaRef } from './described.ts'

/** Parts that several places of one document have, each once. */
export class SharedParts {
  readonly #names = new Map<string, string>()
  readonly #parts: Record<string, Part> = {}

  /** The name of the part: what it is, `posts.many`; of another part that is called so, with a hash of the content. */
  nameOf(part: Part, kind: string): string {
    const text = JSON.stringify(part)
    const name = this.#names.get(text) ?? (kind in this.#parts ? `${kind}-${hashOf(text)}` : kind)
    return this.#keep(name, text, part)
  }

  /**
   * The same with a hash in the name, for kinds with many parts: so a new type renames none of them, and the parts of
   * an excerpt have the names of the whole document.
   */
  hashedNameOf(part: Part, kind: string): string {
    const text = JSON.stringify(part)
    return this.#keep(this.#names.get(text) ?? `${kind}-${hashOf(text)}`, text, part)
  }

  #keep(name: string, text: string, part: Part): string {
    this.#names.set(text, name)
    this.#parts[name] = part
    return name
  }

  get parts(): Readonly<Record<string, Part>> {
    return this.#parts
  }
}

// Of one kind there are some dozens.
const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest().readUIntBE(0, 4).toString(36).padStart(7, '0').slice(-5)

/** The parts that the operations and types of one document share. */
export interface Shared {
  readonly schemas: SharedParts
  readonly parameters: SharedParts
  readonly responses: SharedParts
  readonly requestBodies: SharedParts
  /** The parameters of QUERY, of which bodies are made once all parameters are known. */
  readonly queries: SharedParts
}

export const sharedParts = (): Shared => ({
  schemas: new SharedParts(),
  parameters: new SharedParts(),
  responses: new SharedParts(),
  requestBodies: new SharedParts(),
  queries: new SharedParts(),
})

/** A reference to the parameter, which is written once. */
export const sharedParameter = ({ shared }: Pick<Described, 'shared'>, part: Part, kind: string): Part =>
  parameterRef(shared.parameters.hashedNameOf(part, kind))

/** A reference to the body, which is written once. */
export const sharedBody = ({ shared }: Pick<Described, 'shared'>, part: Part): Part => {
  const name = nameOfDocument(part)
  return name ? { $ref: `#/components/requestBodies/${shared.requestBodies.nameOf(part, name)}` } : part
}

/** The paths with responses that are written once. Features have added their headers to them before. */
export const withSharedResponses = (server: Described, paths: Paths): Paths =>
  eachOperation(paths, (operation) => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(operation.responses as Paths).map(([status, response]) => [
        status,
        sharedResponse(server, response, status),
      ]),
    ),
  }))

/**
 * A response with a document of one type is a component with that document's name; without a document, with its status.
 */
function sharedResponse({ shared }: Described, response: Part, status: string): Part {
  if ('$ref' in response) return response
  const name = response.content ? nameOfDocument(response) : status
  return name ? responseRef(shared.responses.nameOf(response, name)) : response
}

function nameOfDocument({ content }: Part): string | null {
  const [media] = Object.values(content as Readonly<Record<string, { readonly schema: Part }>>)
  return media ? documentName(media.schema) : null
}

/** `posts.many`, or `posts.identifier` of a document that is not a component; null where it is not of one type. */
function documentName(schema: Part): string | null {
  const known = typeNamed(schema)
  const { data } = (schema.properties ?? {}) as Readonly<Record<string, Part>>
  if (known || !data) return known
  const [only, ...others] = ((data.anyOf as readonly Part[] | undefined) ?? [data]).filter(
    ({ type }) => type !== 'null',
  )
  if (!only || others.length > 0) return null
  const of = typeNamed(only.type === 'array' ? (only.items as Part) : only)
  return of && (only.type === 'array' ? `${of}s` : of)
}

const start = schemaRef('').$ref as string

/** `posts.many` of a reference to a schema of a type, whose names have a dot. */
function typeNamed({ $ref }: Part): string | null {
  const name = typeof $ref === 'string' ? $ref.slice(start.length) : ''
  return name.includes('.') ? name : null
}
