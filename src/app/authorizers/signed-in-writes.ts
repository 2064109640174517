import { type AuthorizationRequest, deny, PolicyAuthorizer } from 'prismapi'

/** The policies decide; guests who would change something are told first what they lack. */
export class SignedInWrites extends PolicyAuthorizer {
  override create(request: AuthorizationRequest) {
    return signedIn(request)
  }

  override update(request: AuthorizationRequest) {
    return signedIn(request)
  }

  override delete(request: AuthorizationRequest) {
    return signedIn(request)
  }
}

const signedIn = (request: AuthorizationRequest) => (request.user ? request.byPolicy() : deny('Sign in first.'))
