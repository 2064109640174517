import type { Plugin } from '../../http/plugin.ts'
import { browserPages } from './browser-pages.ts'
import { browserRoutes } from './browser-routes.ts'

/** What browsers get: a page of each document, the reference, and signing in. */
export const pages: Plugin = { outermost: browserPages, unrouted: browserRoutes }
