import type { Settings } from './settings.ts'

/** Who writes, as a log of changes names them: the request, and its user. */
export interface Signature {
  readonly request: string | null
  readonly user: string | null
}

/** The settings of a transaction that triggers of PostgreSQL sign with. */
export const signatureSettings = ({ request, user }: Signature): Settings => [
  ['prismapi.request', request ?? ''],
  ['prismapi.user', user ?? ''],
]
