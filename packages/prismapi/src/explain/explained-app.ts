import type { IncomingMessage, ServerResponse } from 'node:http'

/** An application for `prismapi explain`: over its database, with the caller that is asked for signed in. */
export interface ExplainedApp {
  /** Handles requests as the application's HTTP server does, outside of production: `app.callback()` of Koa. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => unknown
  /** The headers that sign the user in; none for a guest. */
  readonly headers: Readonly<Record<string, string>>
  /** Closes what was opened. */
  close(): void | Promise<void>
}

/**
 * The default export of `src/app/explain.ts`, which `prismapi explain` calls.
 *
 * @param as what `--as` names: an id, an e-mail address, whatever the application knows its users by; null for a guest
 * @throws {Error} one line, for a user that is not there
 *
 * @example
 * import type Koa from 'koa'
 *
 * // Of the application: it serves outside of production, and its tokens sign users in by e-mail addresses.
 * declare const openApp: () => Promise<Koa & { close(): Promise<void> }>
 * declare const tokenOf: (email: string) => Promise<string>
 *
 * const openExplained: OpenExplained = async (as) => {
 *   const app = await openApp()
 *   const headers: Record<string, string> = as === null ? {} : { Authorization: `Bearer ${await tokenOf(as)}` }
 *   return { handler: app.callback(), headers, close: () => app.close() }
 * }
 * export default openExplained
 */
export type OpenExplained = (as: string | null) => Promise<ExplainedApp>
