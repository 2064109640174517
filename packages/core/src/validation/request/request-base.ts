import type { Text } from '@prismapi/jsonapi/document/text'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { type BasePathParams, NotKnown, type Services, type User } from '@prismapi/jsonapi/model/register'
import type { VisibleRows } from '@prismapi/jsonapi/model/visible-rows'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import {
  isAttachingRelationship,
  isCreating,
  isDeleting,
  isDetachingRelationship,
  isModifyingRelationship,
  isUpdating,
  isUpdatingRelationship,
  type Operation,
} from '@prismapi/jsonapi/request/operation'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { RelatedRows } from '../../read/find.ts'
import { type Failure, failure } from '../failures/failure.ts'
import type { AttributeNames, Messages } from '../failures/messages.ts'
import { parsePath } from '../failures/places.ts'

/** Values by field, as documents write them; relationships hold their linkage. */
export type Values = Readonly<Record<string, unknown>>

/** Rows for request classes. */
export interface RequestRows extends VisibleRows {
  /** How many rows there are, hidden ones too. */
  countAll(model: string, where: Where): Promise<number>
}

/** Who asks. */
export interface Caller {
  /** Null for a guest. */
  readonly user: unknown
  /** Rows as the caller may see them, and the number of all; null where rules are described, which asks no database. */
  readonly rows: RequestRows | null
}

/**
 * What an instance of a request or query class is made with. Frozen.
 *
 * @internal
 */
export interface RequestFacts {
  readonly operation: Operation
  /** Null where rules are described for every caller: there is no request then. */
  readonly caller: Caller | null
  /** The row that the URL names; null where it names none, and where it is not looked for yet. */
  readonly row: Row | null
  /** Of the base path; null where there is no request, or none with this server. */
  readonly params: BasePathParams | null
  readonly services: Services
  readonly progress: Progress
}

/** What an instance knows that no document is validated for. */
export const factsOf = (operation: Operation, { caller, row = null, params = null, services }: Known): RequestFacts =>
  Object.freeze({ operation, caller, row, params, services, progress: new Progress() })

interface Known extends Pick<RequestFacts, 'caller' | 'services'> {
  readonly row?: Row | null
  readonly params?: BasePathParams | null
}

/** What is known when all rules passed. */
export interface Passed {
  readonly values: Values
  readonly related: RelatedRows
  /** The linkage that a relation has after the write: what was sent, or the current one. */
  readonly linkageOf: (relation: Relation, sent: Linkage | undefined) => Awaitable<Linkage>
}

/**
 * What is found out about a request while it is validated. The run of the rules sets each member once, in this order;
 * the instance reads them for the application.
 */
export class Progress {
  #data: Values | null = null
  #passed: Passed | null = null

  /** Validation begins with this data. */
  begin(data: Values): void {
    if (this.#data) throw new Error('A request is validated once: make another instance of its class.')
    this.#data = data
  }

  /** All rules passed: what was sent and has a rule, and the rows that relationships name. */
  pass(passed: Passed): void {
    this.#passed = passed
  }

  /** @throws {Error} before validation has begun. */
  dataFor(call: string): Values {
    return known(this.#data, call, 'validation has begun')
  }

  /** @throws {Error} before all rules passed. */
  passedFor(call: string): Passed {
    return known(this.#passed, call, 'validation has succeeded')
  }
}

function known<T>(value: T | null, call: string, moment: string): T {
  if (value === null) throw new NotKnown(`${call} has no answer yet: it is known only after ${moment}.`)
  return value
}

/** @throws {NotKnown} where rules are described for every caller. */
export function callerOf({ caller }: RequestFacts, call: string): Caller {
  if (caller) return caller
  throw new NotKnown(`${call} has no answer here: rules are described for every caller, without a request.`)
}

/** @internal */
type Hook = (validator: Validator) => void | Promise<void>

/**
 * What `withValidator` may use to add checks of its own.
 *
 * @example
 * declare const isSpam: (text: unknown) => Promise<boolean>
 *
 * export default class CommentRequest extends ResourceRequest<'Comment'> {
 *   override withValidator(validator: Validator) {
 *     validator.after(async () => {
 *       if (await isSpam(validator.data.content)) validator.fail('content', 'This looks like spam.', 'spam')
 *     })
 *   }
 * }
 */
export class Validator {
  /** The validation data: on update the current values, with what the client sent over them. */
  readonly data: Values
  readonly #failures: Failure[] = []
  readonly #hooks: Hook[] = []

  /** Made by the framework. */
  constructor(data: Values) {
    this.data = data
  }

  /** Adds a failure at a field or a path below one (`tags[0]`); `rule` becomes the error's `code`. */
  fail(field: string, message: Text, rule?: string): void {
    this.#failures.push(failure(parsePath(field), rule ?? null, { message }))
  }

  /** Runs when all rules have passed: the data can be relied on, and `toOne()` and `toMany()` answer. */
  after(hook: Hook): void {
    this.#hooks.push(hook)
  }

  /**
   * The failures until now; they are handed out once.
   *
   * @internal
   */
  takeFailures(): readonly Failure[] {
    return this.#failures.splice(0)
  }

  /** @internal */
  get hasHooks(): boolean {
    return this.#hooks.length > 0
  }

  /** @internal */
  async runHooks(): Promise<void> {
    for (const hook of this.#hooks) await hook(this)
  }
}

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

  /**
   * The values of the parameters of the server's base path: of `/api/:organization/v1` the `organization`.
   *
   * @throws {NotKnown} where rules are described without a request: the description leaves them to the requests.
   */
  get params(): BasePathParams {
    const { params } = this.#facts
    if (params) return params
    throw new NotKnown('params has no answer here: rules are described without a request.')
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
