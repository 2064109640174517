import type { Feature } from '../../api/feature.ts'
import { browserPages } from './browser-pages.ts'
import { browserRoutes } from './browser-routes.ts'

/** What browsers get: a page of each document, the reference, and signing in. */
export const pages: Feature = { serve: () => () => ({ outermost: browserPages, unrouted: browserRoutes }) }
