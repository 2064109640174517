import type { Services, User } from '../../model/register.ts'
import {
  isAttachingRelationship,
  isCreating,
  isDeleting,
  isDetachingRelationship,
  isModifyingRelationship,
  isUpdating,
  isUpdatingRelationship,
  type Operation,
} from '../../request/operation.ts'
import type { AttributeNames, Messages } from '../failures/messages.ts'
import { callerOf, type RequestFacts } from './request-facts.ts'

/**
 * What request and query classes have in common: who asks, what for, and how failures are worded.
 *
 * @example
 * export default class TagRequest extends ResourceRequest<'Tag'> {
 *   override rules() {
 *     return this.checked({ name: string().required().max(this.user ? 50 : 20) })
 *   }
 *
 *   override messages() {
 *     return { 'name.max': 'A :attribute has at most :max letters.' }
 *   }
 * }
 */
export class RequestBase {
  readonly #facts: RequestFacts

  /** Made by the framework, for one request; a class of the application needs no constructor. */
  constructor(facts: RequestFacts) {
    this.#facts = facts
  }

  /** @internal */
  static factsOf(request: RequestBase): RequestFacts {
    return request.#facts
  }

  /** Who asks; null for a guest. */
  get user(): User | null {
    return callerOf(this.#facts, 'user').user as User | null
  }

  /** What the application handed to `createApi({ services })`. */
  protected get services(): Services {
    return this.#facts.services
  }

  /** Texts by `<field>.<rule>`, or `<rule>` for all fields; `:attribute` and `:max` are filled in. */
  messages(): Messages {
    return {}
  }

  /** Display names by field, where the field's own name in words will not do. */
  attributes(): AttributeNames {
    return {}
  }

  /** POST of a new resource. */
  isCreating(): boolean {
    return isCreating(this.#facts.operation)
  }

  /** PATCH of a resource. */
  isUpdating(): boolean {
    return isUpdating(this.#facts.operation)
  }

  /** POST or PATCH of a resource. */
  isCreatingOrUpdating(): boolean {
    return this.isCreating() || this.isUpdating()
  }

  /** DELETE of a resource. */
  isDeleting(): boolean {
    return isDeleting(this.#facts.operation)
  }

  /** The relationship that the request is about; null when it is about a resource or a collection. */
  getFieldName(): string | null {
    const { operation } = this.#facts
    return 'relation' in operation ? operation.relation.name : null
  }

  /** The custom action that the request is; null when it is none. */
  getActionName(): string | null {
    const { operation } = this.#facts
    return operation.kind === 'action' ? operation.action.name : null
  }

  /** PATCH of a relationship. */
  isUpdatingRelationship(): boolean {
    return isUpdatingRelationship(this.#facts.operation)
  }

  /** POST to a relationship. */
  isAttachingRelationship(): boolean {
    return isAttachingRelationship(this.#facts.operation)
  }

  /** DELETE on a relationship. */
  isDetachingRelationship(): boolean {
    return isDetachingRelationship(this.#facts.operation)
  }

  /** PATCH, POST or DELETE of a relationship. */
  isModifyingRelationship(): boolean {
    return isModifyingRelationship(this.#facts.operation)
  }
}

export const operationOf = (request: RequestBase): Operation => RequestBase.factsOf(request).operation
