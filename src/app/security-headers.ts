import type { Middleware } from 'koa'
import helmet from 'koa-helmet'

/**
 * Of what helmet can set, the three that mean something to an API, whose answers no browser shows as a page. A page sets a
 * policy for its contents by itself.
 */
export const securityHeaders = (baseUrl: string): Middleware =>
  helmet({
    xContentTypeOptions: true,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: baseUrl.startsWith('https:'),
    contentSecurityPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  })
