import type { Paths } from './described.ts'
import { type Described, headerRef, type Part, responseRef } from './described.ts'

// https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/

type Limited = Pick<Described, 'isRateLimited'>

const text: Part = { type: 'string' }

/** The headers that answers refer to. */
export const rateLimitHeaders = ({ isRateLimited }: Limited): Part =>
  isRateLimited
    ? {
        RateLimit: {
          description:
            'How many requests are left (`r`), and in how many seconds there are more (`t`): `"default";r=99;t=60`.',
          schema: text,
        },
        'RateLimit-Policy': {
          description: 'How many requests a caller may make (`q`) in how many seconds (`w`): `"default";q=100;w=60`.',
          schema: text,
        },
      }
    : {}

/** The references of one answer to them. */
export const limited: Part = { RateLimit: headerRef('RateLimit'), 'RateLimit-Policy': headerRef('RateLimit-Policy') }

/** The paths, where each operation says how many more there may be, or that there may be no more. */
export function withRateLimits({ isRateLimited }: Limited, paths: Paths): Paths {
  if (!isRateLimited) return paths
  return Object.fromEntries(Object.entries(paths).map(([url, path]) => [url, limitedPath(path)]))
}

const limitedPath = (path: Part): Part =>
  Object.fromEntries(
    Object.entries(path).map(([name, part]) => [name, name === 'parameters' ? part : limitedOperation(part as Part)]),
  )

const limitedOperation = ({ responses, ...operation }: Part): Part => ({
  ...operation,
  responses: {
    ...Object.fromEntries(
      Object.entries(responses as Readonly<Record<string, Part>>).map(([status, response]) => [
        status,
        status.startsWith('2') ? { ...response, headers: { ...(response.headers as Part), ...limited } } : response,
      ]),
    ),
    429: responseRef('429'),
  },
})
