import { channel } from 'node:diagnostics_channel'
import type { AnyPolicy } from '../auth/policy.ts'
import type { Plugin } from './plugin.ts'

/** An API before its servers are compiled. A tool may change its policies, and add plug-ins by their names. */
export interface ApiBeingMade {
  readonly policies: ReadonlyMap<string, AnyPolicy>
  readonly plugins: Map<string, Plugin>
}

/**
 * `createApi` publishes each `ApiBeingMade` here. Tools of tests are loaded before the application and subscribe. So a
 * server has no part of them, and no variable of its environment changes who is allowed what.
 */
export const apiBeingMade = channel('prismapi.api-being-made')
