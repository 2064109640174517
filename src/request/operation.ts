import type { Action } from '../schema/actions.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'

/** What the client wants. Made once, from method and path; no later stage asks about the verb again. */
export type Operation = CollectionOperation | ResourceOperation | RelationOperation | ActionOperation

/** What an address is of, whatever is asked of it. */
export type OperationTarget = { readonly [O in Operation as O['kind']]: Omit<O, 'kind'> }[Operation['kind']]

export interface CollectionOperation {
  /** `viewStats`: figures of groups of the rows that `viewAny` would list. */
  readonly kind: 'viewAny' | 'viewStats' | 'create'
  readonly schema: ResourceSchema
}

export interface ResourceOperation {
  /** `forceDelete`: DELETE of a row that was deleted softly. */
  readonly kind: 'view' | 'update' | 'delete' | 'forceDelete'
  readonly schema: ResourceSchema
  /** The id of the URL, decoded. */
  readonly id: string
}

export interface RelationOperation {
  readonly kind: 'viewRelated' | 'viewRelationship' | 'updateRelationship' | 'attach' | 'detach'
  readonly schema: ResourceSchema
  readonly id: string
  readonly relation: Relation
}

/** A custom action. */
export interface ActionOperation {
  readonly kind: 'action'
  readonly schema: ResourceSchema
  readonly action: Action
  /** Null on a collection. */
  readonly id: string | null
}

type Kind = Operation['kind']

/** The kinds that an authorizer has a method for. */
export type DecidedKind = Exclude<Kind, 'viewStats'>

/** Figures of a collection are decided as the collection is. */
export const decidedKind = (kind: Kind): DecidedKind => (kind === 'viewStats' ? 'viewAny' : kind)

const relationVerbs = {
  viewRelated: 'view',
  viewRelationship: 'view',
  updateRelationship: 'update',
  attach: 'attach',
  detach: 'detach',
} as const

/** The name of the policy method, and of the ability's action, that decides: `viewAny`, `update`, `attachTags`, `publish`. */
export function policyAction(operation: Operation): string {
  if (operation.kind === 'action') return operation.action.name
  if (!('relation' in operation)) return decidedKind(operation.kind)
  const { name } = operation.relation
  return `${relationVerbs[operation.kind]}${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

const reads: ReadonlySet<Operation['kind']> = new Set([
  'viewAny',
  'viewStats',
  'view',
  'viewRelated',
  'viewRelationship',
])

export const isReading = (operation: Operation): boolean => reads.has(operation.kind)
/** Does the answer show more than one resource, as a rule? */
export const showsMany = (operation: Operation): boolean => isReading(operation) && operation.kind !== 'view'
export const isCreating = (operation: Operation): boolean => operation.kind === 'create'
export const isUpdating = (operation: Operation): boolean => operation.kind === 'update'
export const isDeleting = (operation: Operation): boolean =>
  operation.kind === 'delete' || operation.kind === 'forceDelete'
export const isUpdatingRelationship = (operation: Operation): boolean => operation.kind === 'updateRelationship'
export const isAttachingRelationship = (operation: Operation): boolean => operation.kind === 'attach'
export const isDetachingRelationship = (operation: Operation): boolean => operation.kind === 'detach'
export const isModifyingRelationship = (operation: Operation): operation is RelationOperation =>
  isUpdatingRelationship(operation) || isAttachingRelationship(operation) || isDetachingRelationship(operation)
