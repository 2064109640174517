import type { User } from '../../model/register.ts'
import {
  isAttachingRelationship,
  isCreating,
  isDeleting,
  isDetachingRelationship,
  isModifyingRelationship,
  isUpdating,
  isUpdatingRelationship,
} from '../../request/operation.ts'
import type { AttributeNames, Messages } from '../failures/messages.ts'
import { contextOf, type RequestState, stateKey } from './request-state.ts'

/**
 * What request and query classes have in common: who asks, what for, and how failures are worded.
 *
 * @example
 * export default class TagRequest extends ResourceRequest<'Tag'> {
 *   override rules() {
 *     return { name: string().required().max(this.user ? 50 : 20) }
 *   }
 *
 *   override messages() {
 *     return { 'name.max': 'A :attribute has at most :max letters.' }
 *   }
 * }
 */
export class RequestBase {
  /** @internal */
  readonly [stateKey]: RequestState

  /** Made by the framework, for one request; a class of the application needs no constructor. */
  constructor(state: RequestState) {
    this[stateKey] = state
  }

  /** Who asks; null for a guest. Rules that look at it are built anew for each request. */
  get user(): User | null {
    return contextOf(this[stateKey]).user as User | null
  }

  /** Texts by `<field>.<rule>`, or `<rule>` for all fields; `:attribute` and `:max` are filled in (*Validation error rules*, rule 3). */
  messages(): Messages {
    return {}
  }

  /** Display names by field, where the field's own name in words will not do (*Validation error rules*, rule 3). */
  attributes(): AttributeNames {
    return {}
  }

  /** POST of a new resource. */
  isCreating(): boolean {
    return isCreating(this[stateKey].operation)
  }

  /** PATCH of a resource. */
  isUpdating(): boolean {
    return isUpdating(this[stateKey].operation)
  }

  /** POST or PATCH of a resource. */
  isCreatingOrUpdating(): boolean {
    return this.isCreating() || this.isUpdating()
  }

  /** DELETE of a resource. */
  isDeleting(): boolean {
    return isDeleting(this[stateKey].operation)
  }

  /** The relationship that the request is about; null when it is about a resource or a collection. */
  getFieldName(): string | null {
    const { operation } = this[stateKey]
    return 'relation' in operation ? operation.relation.name : null
  }

  /** The custom action that the request is; null when it is none. */
  getActionName(): string | null {
    const { operation } = this[stateKey]
    return operation.kind === 'action' ? operation.action.name : null
  }

  /** PATCH of a relationship. */
  isUpdatingRelationship(): boolean {
    return isUpdatingRelationship(this[stateKey].operation)
  }

  /** POST to a relationship. */
  isAttachingRelationship(): boolean {
    return isAttachingRelationship(this[stateKey].operation)
  }

  /** DELETE on a relationship. */
  isDetachingRelationship(): boolean {
    return isDetachingRelationship(this[stateKey].operation)
  }

  /** PATCH, POST or DELETE of a relationship. */
  isModifyingRelationship(): boolean {
    return isModifyingRelationship(this[stateKey].operation)
  }
}
