import {
  eachOperation,
  headerRef,
  type OpenApiPart,
  type Part,
  type Paths,
  withHeaders,
} from '@prismapi/core/server/open-api-part'

// https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/

const text: Part = { type: 'string' }

/** The references of one answer to the headers. */
const limited: Part = { RateLimit: headerRef('RateLimit'), 'RateLimit-Policy': headerRef('RateLimit-Policy') }

/** What clients are told of the limit. */
export const describedLimits: OpenApiPart = {
  headers: {
    RateLimit: {
      description:
        'How many requests are left (`r`), and in how many seconds there are more (`t`): `"default";r=99;t=60`.',
      schema: text,
    },
    'RateLimit-Policy': {
      description: 'How many requests a caller may make (`q`) in how many seconds (`w`): `"default";q=100;w=60`.',
      schema: text,
    },
  },
  errors: {
    429: {
      cause: 'The caller has made as many requests as there may be.',
      headers: { 'Retry-After': { description: 'The seconds to wait.', schema: text }, ...limited },
    },
  },
  paths: withRateLimits,
}

/** The paths, where each operation says how many more there may be. */
function withRateLimits(paths: Paths): Paths {
  return eachOperation(paths, (operation) => withHeaders(operation, limited))
}
