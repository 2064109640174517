import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Work } from './work/work.ts'

// Who is asking, by a token: the servers by hand verify it each time, and all but the limit read its user each time.

/** Do requests come with tokens? */
export const hasTokens = process.argv.includes('tokens')

const key = new TextEncoder().encode('a secret of the benchmark, long enough')

/** A token of the user who asks. */
export const signToken = (): Promise<string> =>
  new SignJWT().setProtectedHeader({ alg: 'HS256' }).setSubject('7').setExpirationTime('1d').sign(key)

export const verify = async (token: string): Promise<JWTPayload> =>
  (await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['sub', 'exp'] })).payload

/** The user of a bearer token. */
export async function userOf(work: Work, authorization: string | undefined): Promise<unknown> {
  const { sub } = await verify((authorization ?? '').slice('Bearer '.length))
  return work.user(Number(sub))
}
