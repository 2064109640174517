import type { Settings } from './settings.ts'

/** The role that every request has in a guarded database: it sees and changes what the policies of the tables let it. */
export const guardedRole = 'prismapi_guarded'

/** What a transaction tells its database when it begins, and what ends with it. */
export interface Session {
  /** The role that the transaction has. */
  readonly role: string
  /** Who is asking: the text of the setting `prismapi.caller`. */
  readonly caller: string
  /** What earlier transactions of the request have written and its caller does not see; left out, nothing. */
  readonly written?: string
}

/** What it tells, as settings. */
export const sessionSettings = ({ role, caller, written = '' }: Session): Settings => [
  ['role', role],
  ['prismapi.caller', caller],
  ['prismapi.written', written],
]

/** What tells two sessions apart. */
export const sessionText = (session: Session | undefined): string =>
  session ? `${sessionSettings(session).flat().join('\n')}\n` : ''
