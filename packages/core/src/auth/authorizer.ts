import { memo } from '@prismapi/jsonapi/model/memo'
import {
  type BasePathParams,
  type ModelName,
  type RowOf,
  type Services,
  type User,
  unknownServices,
} from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type DecidedKind, decidedKind, type Operation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { factsOf } from '../validation/request/request-base.ts'
import type { RequestClass } from '../validation/request/resource-query.ts'
import { ResourceRequest } from '../validation/request/resource-request.ts'
import type { AuthContext, AuthServer } from './auth-context.ts'
import type { Decision, PolicyAnswer } from './decision.ts'
import type { LazyRelation } from './lazy-relation.ts'

/** What an authorizer may know of the request; frozen. */
export interface AuthorizationRequest {
  /** The signed-in user; null for a guest. */
  readonly user: User | null
  /** What the application handed to `createApi({ services })`. */
  readonly services: Services
  /** The resource type of the URL. */
  readonly type: string
  /** What a policy would call this action: `update`, `attachTags`. */
  readonly action: string
  /** The HTTP method. */
  readonly method: string
  /** The URL as it was asked for, with the server's public origin. */
  readonly url: URL
  /** The values of the parameters of the server's base path: of `/api/:organization/v1` the `organization`. */
  readonly params: BasePathParams
  /** The body as it was sent, not validated yet; undefined where none was sent. */
  readonly document: unknown
  /** The relationship of the URL, or null. */
  readonly relation: string | null
  /** The submitted value of a relationship that is written, or null. */
  readonly value: LazyRelation | null
  /** What the policies say of this very action: an authorizer may add to them instead of replacing them. */
  byPolicy(): Promise<Decision>
}

/**
 * The authorizer contract: one method for each thing that a client can do. Each request gets an instance. It replaces
 * the policies for its types (docs/specification.md#authorizers). A type's authorizer is the first of: one registered
 * with a list of schemas in the serving phase; `<model>.authorizer.ts` beside the type's schema; the server's default.
 * Each method returns a boolean, `allow()` or `deny()`. A `JsonApiError` that it throws is the response; anything else
 * that it throws is a 500.
 *
 * Extend `PolicyAuthorizer` to change only some of the methods.
 *
 * @example
 * export default class PostAuthorizer extends PolicyAuthorizer<'Post'> {
 *   override update(request: AuthorizationRequest, post: RowOf<'Post'>) {
 *     if (post.publishedAt !== null) return deny('A published post is final.')
 *     return super.update(request, post)
 *   }
 * }
 */
export abstract class Authorizer<M extends ModelName = ModelName> {
  /** GET /type */
  abstract viewAny(request: AuthorizationRequest): PolicyAnswer
  /** POST /type */
  abstract create(request: AuthorizationRequest): PolicyAnswer
  /** GET /type/id */
  abstract view(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer
  /** PATCH /type/id */
  abstract update(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer
  /** DELETE /type/id */
  abstract delete(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer
  /** DELETE /type/id of a row that was deleted softly: by default allowed where `delete` is */
  forceDelete(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer {
    return this.delete(request, row)
  }
  /** GET /type/id/relation */
  abstract viewRelated(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer
  /** GET /type/id/relationships/relation */
  abstract viewRelationship(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer
  /** PATCH /type/id/relationships/relation */
  abstract updateRelationship(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer
  /** POST /type/id/relationships/relation */
  abstract attach(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer
  /** DELETE /type/id/relationships/relation */
  abstract detach(request: AuthorizationRequest, row: RowOf<M>): PolicyAnswer
  /** A custom action, named by `request.action`: by default as the policies say. The row is null on a collection. */
  action(request: AuthorizationRequest, _row: RowOf<M> | null): PolicyAnswer {
    return request.byPolicy()
  }
}

/**
 * The default: the policies decide. Extend it to decide some actions otherwise and leave the rest to them.
 *
 * @example
 * export default class PostAuthorizer extends PolicyAuthorizer<'Post'> {
 *   override delete() {
 *     return deny('Posts are kept.')
 *   }
 * }
 */
export class PolicyAuthorizer<M extends ModelName = ModelName> extends Authorizer<M> {
  viewAny(request: AuthorizationRequest): PolicyAnswer {
    return request.byPolicy()
  }

  create(request: AuthorizationRequest): PolicyAnswer {
    return request.byPolicy()
  }

  view(request: AuthorizationRequest, _row: RowOf<M>): PolicyAnswer {
    return request.byPolicy()
  }

  update(request: AuthorizationRequest, _row: RowOf<M>): PolicyAnswer {
    return request.byPolicy()
  }

  delete(request: AuthorizationRequest, _row: RowOf<M>): PolicyAnswer {
    return request.byPolicy()
  }

  viewRelated(request: AuthorizationRequest, _row: RowOf<M>): PolicyAnswer {
    return request.byPolicy()
  }

  viewRelationship(request: AuthorizationRequest, _row: RowOf<M>): PolicyAnswer {
    return request.byPolicy()
  }

  updateRelationship(request: AuthorizationRequest, _row: RowOf<M>): PolicyAnswer {
    return request.byPolicy()
  }

  attach(request: AuthorizationRequest, _row: RowOf<M>): PolicyAnswer {
    return request.byPolicy()
  }

  detach(request: AuthorizationRequest, _row: RowOf<M>): PolicyAnswer {
    return request.byPolicy()
  }
}

/** An authorizer of any model, as a server calls it. */
export type AnyAuthorizer = {
  [kind in keyof Authorizer]: (request: AuthorizationRequest, row: Row) => PolicyAnswer
}

/** The class of an authorizer, of whatever model. */
export type AuthorizerClass = new () => Authorizer<never>

/**
 * The authorizer of a type: the one registered for its schema in the serving phase, else the one beside the schema,
 * else the server's default. Null where the policy decides.
 */
export const resolveAuthorizer = (
  ctx: Pick<AuthContext, 'server' | 'served'>,
  { type }: ResourceSchema,
): AuthorizerClass | null =>
  ctx.served.authorizers.get(type) ?? ctx.server.authorizers.get(type) ?? ctx.served.defaultAuthorizer

// An application may declare a method as a field as well, so instances are compared, not prototypes.

/** Does the request class have an `authorize()` of its own. */
export const decidesItself = memo((Class: RequestClass): boolean => {
  try {
    return (
      new Class(factsOf(anOperation, { caller: null, services: unknownServices })).authorize !==
      ResourceRequest.prototype.authorize
    )
  } catch {
    // The constructor reads the request, which is missing here: such a class may decide anything.
    return true
  }
})

/** Does a model's request class have its say before policies do. */
export function isDecidedByRequest({ requests }: Pick<AuthServer, 'requests'>, model: string): boolean {
  const Class = requests.get(model)?.request
  return Class ? decidesItself(Class) : false
}

const anOperation = { kind: 'viewAny' } as Operation

const policyKinds = memo((Authorizer: AuthorizerClass): ((kind: DecidedKind) => boolean) => {
  const authorizer = new Authorizer()
  return (kind) => authorizer[kind] === PolicyAuthorizer.prototype[kind]
})

/** Does the authorizer leave this kind of operation to the policy. */
export const leavesToPolicy = (Authorizer: AuthorizerClass, kind: Operation['kind']): boolean =>
  policyKinds(Authorizer)(decidedKind(kind)) && (kind !== 'forceDelete' || policyKinds(Authorizer)('delete'))
