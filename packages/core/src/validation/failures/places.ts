import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import { invalidField } from '@prismapi/jsonapi/document/errors'
import type { ParsedResource } from '@prismapi/jsonapi/document/parse-document'
import { type Linkage, pointer } from '@prismapi/jsonapi/document/types'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Failure } from './failure.ts'
import { detailOf, type Wording } from './messages.ts'

/** A request document, as far as rules speak of it: failures are placed in it, and put in its order. */
export interface Places {
  /** Made when something has failed. */
  tree(): unknown
  /** How many members lead to a field. */
  readonly depth: number
  /** The members that lead to what a failure is about, were it in the document; null when it has no place there. */
  membersOf(failure: Failure): readonly string[] | null
}

/** The document of a resource. */
export const resourcePlaces = (schema: ResourceSchema, document: ParsedResource): Places => ({
  tree: () => ({ data: toTree(document) }),
  depth: 3,
  membersOf: (failure) => resourceMembers(schema, failure),
})

const toTree = ({ type, id, attributes, relationships }: ParsedResource) => ({
  type,
  ...(id !== null && { id }),
  attributes: Object.fromEntries(attributes),
  relationships: Object.fromEntries([...relationships].map(([name, data]) => [name, { data }])),
})

/** The document of a relationship endpoint: its root is the linkage. */
export const relationshipPlaces = (name: string, linkage: Linkage): Places => ({
  tree: () => ({ data: linkage }),
  depth: 1,
  membersOf: ({ path: [field, ...rest] }) => (field === name ? ['data', ...rest] : null),
})

/** A request without a document. */
export const noPlaces: Places = { tree: () => ({}), depth: 0, membersOf: () => null }

function resourceMembers(schema: ResourceSchema, { path, rule }: Failure): readonly string[] | null {
  const [field = '', ...rest] = path
  if (schema.attributes.has(field)) return ['data', 'attributes', ...path]
  if (field === 'id' || field === 'type') return ['data', field]
  if (!schema.relations.has(field)) return null
  const relationship = ['data', 'relationships', field]
  // What is required and empty is pointed at by its `data`.
  return rest.length > 0 || rule === 'required' ? [...relationship, 'data', ...rest] : relationship
}

interface Placed {
  readonly pointer: string
  /** False when what failed is not in the document: then the pointer leads to what would hold it. */
  readonly isExact: boolean
  /** The position of each member among its siblings. */
  readonly rank: readonly number[]
}

const nowhere: Placed = { pointer: '/data', isExact: false, rank: [0] }

// A pointer must lead to a member of the document (JSON:API 1.1, *Error Objects*). A missing value is pointed at by the
// member that would hold it, and a missing field by `/data`.
function place(tree: unknown, places: Places, failure: Failure): Placed {
  const members = places.membersOf(failure)
  if (members === null) return nowhere
  const rank: number[] = []
  let node = tree
  for (const member of members) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, member)) break
    rank.push(Array.isArray(node) ? Number(member) : Object.keys(node).indexOf(member))
    node = (node as Record<string, unknown>)[member]
  }
  if (rank.length < Math.min(places.depth, members.length)) return nowhere
  return { pointer: pointer('', ...members.slice(0, rank.length)), isExact: rank.length === members.length, rank }
}

/** The failures as errors, in document order. */
export function toErrors(failures: readonly Failure[], places: Places, wording: Wording): readonly JsonApiError[] {
  const tree = places.tree()
  return failures
    .map((failure) => ({ failure, placed: place(tree, places, failure) }))
    .sort((a, b) => compare(a.placed.rank, b.placed.rank))
    .map(({ failure, placed }) =>
      invalidField({
        detail: detailOf(failure, wording),
        pointer: placed.pointer,
        ...(failure.rule !== null && { code: failure.rule }),
        ...(!placed.isExact && { meta: { field: failure.path.join('.') } }),
      }),
    )
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

const step = /\["(.*?)"\](?=$|[.[])|\[(\d+)\]|([^.[]+)/gs

/** A path as yup writes it (`tags[0].id`, `meta["a.b"]`), as its names. */
export const parsePath = (path: string): readonly string[] =>
  [...path.matchAll(step)].map((match) => (match[1] ?? match[2] ?? match[3]) as string)

/** The names as yup would write them. */
export const writePath = (names: readonly string[]): string =>
  names.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`
    if (name.includes('.')) return `${path}["${name}"]`
    return path === '' ? name : `${path}.${name}`
  }, '')

export interface Match {
  readonly path: readonly string[]
  readonly value: unknown
  readonly parent: unknown
}

/** The values of the data that a rule's key names: `tags.*.id` is one for each tag. A missing one is undefined. */
export function* matches(data: unknown, names: readonly string[], path: readonly string[] = []): Generator<Match> {
  const [name, ...rest] = names
  if (name === undefined) return
  for (const key of name === '*' ? keysOf(data) : [name]) {
    const value = isContainer(data) && Object.hasOwn(data, key) ? data[key] : undefined
    const at = [...path, key]
    if (rest.length === 0) yield { path: at, value, parent: data }
    else yield* matches(value, rest, at)
  }
}

const keysOf = (value: unknown): readonly string[] => (isContainer(value) ? Object.keys(value) : [])

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
