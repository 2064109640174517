import type { Settings } from './settings.ts'

/** The role that every request has in a guarded database: it sees and changes what the policies of the tables let it. */
export const guardedRole = 'prismapi_guarded'

/** The role of what the framework keeps for itself in a guarded database: kept answers, and the log of changes. */
export const frameworkRole = 'prismapi_framework'

/** What a transaction tells its database when it begins, and what ends with it. */
export interface Session {
  /** The role that the transaction has. */
  readonly role: string
  /** Who is asking: the text of the setting `prismapi.caller`. */
  readonly caller: string
  /** What earlier transactions of the request have written and its caller does not see; left out, nothing. */
  readonly written?: string
  /** The model of the log of changes, where callers may read of it: the framework reads it, and shows what they may see. */
  readonly log?: string
}

/** The framework's own work, which no caller has asked for. */
export const frameworkSession: Session = Object.freeze({ role: frameworkRole, caller: '' })

/** Whether the database of these clients refuses rows itself. */
export const isGuarded = (clients: object): boolean => 'guarded' in clients && clients.guarded === true

/** What it tells, as settings. */
export const sessionSettings = ({ role, caller, written = '' }: Session): Settings => [
  ['role', role],
  ['prismapi.caller', caller],
  ['prismapi.written', written],
]

/** What tells two sessions apart. */
export const sessionText = (session: Session | undefined): string =>
  session ? `${sessionSettings(session).flat().join('\n')}\n` : ''
