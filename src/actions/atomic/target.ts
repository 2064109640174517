import { isObject, type Members, own } from '../../document/members.ts'

export type OperationCode = 'add' | 'update' | 'remove'

/** The methods of the requests that do the same. */
export const methodOf: Readonly<Record<OperationCode, string>> = { add: 'POST', update: 'PATCH', remove: 'DELETE' }

/** What an operation is about; with neither `id` nor `lid` it is the collection of the type. */
export interface AtomicTarget {
  readonly type: string
  readonly id: string | null
  /** The name that an earlier operation gave to the resource that it adds. */
  readonly lid: string | null
  readonly relationship: string | null
}

/** What the server knows of operations. */
export interface AtomicShape {
  readonly maxOperations: number
  /** Does `meta.upsert` mean something: the client applied its profile. */
  readonly hasUpsert: boolean
  isType(type: string): boolean
  isRelationship(type: string, name: string): boolean
  /** Do these fields together tell one resource of the type from all others. */
  isNaturalKey(type: string, fields: readonly string[]): boolean
  supports(op: OperationCode, target: AtomicTarget): boolean
  /** What a URL of this server names; null for every other text. */
  targetOf(href: string): AtomicTarget | null
}

/** Is it about no resource that is there, but about one to come. */
export const isCollection = ({ id, lid }: AtomicTarget): boolean => id === null && lid === null

/** What an operation is about; null where it does not say so in good form. */
export function targetOf(operation: Members, shape: AtomicShape): AtomicTarget | null {
  const href = own(operation, 'href')
  const ref = own(operation, 'ref')
  const data = own(operation, 'data')
  if (typeof href === 'string') return shape.targetOf(href)
  if (isObject(ref)) return namedBy(ref, textOf(ref, 'relationship'))
  if (!isObject(data)) return null
  const isNew = own(operation, 'op') === 'add' || isUpsert(operation, shape)
  return isNew ? { ...namedBy(data, null), id: null, lid: null } : namedBy(data, null)
}

/** Does the operation ask for an upsert; without the profile, `meta.upsert` means nothing. */
export function isUpsert(operation: Members, { hasUpsert }: Pick<AtomicShape, 'hasUpsert'>): boolean {
  const meta = own(operation, 'meta')
  return hasUpsert && own(operation, 'op') === 'update' && isObject(meta) && Object.hasOwn(meta, 'upsert')
}

const namedBy = (object: Members, relationship: string | null): AtomicTarget => ({
  type: textOf(object, 'type') ?? '',
  id: textOf(object, 'id'),
  lid: textOf(object, 'lid'),
  relationship,
})

/** A member that is a string; null where it is missing, or anything else. */
export function textOf(object: Members, name: string): string | null {
  const value = own(object, name)
  return typeof value === 'string' ? value : null
}
