import { sealOf } from '@prismapi/pages/serving/browser-session'
import type { App } from '../app.ts'

/** Who asks. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>
  /** What pages are sealed with that are made for a caller who has signed in on a page; null for all others. */
  readonly seal: string | null
}

/** Those who may do most are asked as most often. */
export async function callersOf(app: Pick<App, 'bearer'>): Promise<readonly Caller[]> {
  const by = (headers: Caller['headers']): Caller => ({ headers, seal: null })
  const admin = by(await app.bearer(1))
  return [admin, admin, admin, admin, by(await app.bearer(5)), by({}), by({ Authorization: 'Bearer x.y.z' })]
}

/** The same, and those who have signed in on a page. */
export async function browsersOf(app: Pick<App, 'bearer'>): Promise<readonly Caller[]> {
  const [admin, member] = [await app.bearer(1), await app.bearer(5)]
  return [...(await callersOf(app)), ...[admin, admin, member].map(({ Authorization }) => signedIn(Authorization))]
}

const signedIn = (authorization: string): Caller => ({
  headers: { Cookie: `prismapi-browse=${Buffer.from(authorization).toString('base64url')}` },
  seal: sealOf(authorization),
})
