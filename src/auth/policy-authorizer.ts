import type { ModelName, RowOf } from '../model/register.ts'
import { type AuthorizationRequest, Authorizer } from './authorizer.ts'
import type { PolicyAnswer } from './decision.ts'

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
