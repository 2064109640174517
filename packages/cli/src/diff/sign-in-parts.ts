import type { Part as Json } from '@prismapi/openapi/described'
import type { DescribedApi, DescribedOperation } from './described-api.ts'
import { shape } from './shape.ts'
import { api, keyOf, type Part, part } from './surface.ts'

const schemeNamed = (name: string): string => `security scheme ${name}`

/** The ways to sign in that a server names, each by what callers send. */
export function schemeParts({ document }: DescribedApi): readonly Part[] {
  const { securitySchemes = {} } = (document.components ?? {}) as { readonly securitySchemes?: Record<string, Json> }
  return Object.entries(securitySchemes).map(([name, scheme]) =>
    part({ where: api, what: schemeNamed(name), shape: shape({ values: new Set(waysOf(scheme)) }) }),
  )
}

// Names of HTTP schemes and of headers are the same in small letters.
function waysOf({ type, scheme, name, in: place, openIdConnectUrl, flows }: Json): readonly string[] {
  switch (type) {
    case 'http':
      return [`http ${String(scheme).toLowerCase()}`]
    case 'apiKey':
      return [`${place} ${place === 'header' ? String(name).toLowerCase() : name}`]
    case 'openIdConnect':
      return [`openIdConnect ${openIdConnectUrl}`]
    case 'oauth2':
      return Object.entries((flows ?? {}) as Readonly<Record<string, Json>>).map(
        ([flow, { authorizationUrl = '', tokenUrl = '' }]) =>
          ['oauth2', flow, authorizationUrl, tokenUrl].filter((word) => word !== '').join(' '),
      )
    default:
      return type === undefined ? [] : [String(type)]
  }
}

/** The ways to sign in that an endpoint takes, and whether there is a way without. */
export function signInParts(
  { document }: DescribedApi,
  { name, type, operation }: DescribedOperation,
): readonly Part[] {
  const where = type ?? api
  const security = (operation.security ?? document.security ?? []) as readonly Readonly<Record<string, unknown>>[]
  const ways = security.length === 0 ? [[]] : security.map((each) => Object.keys(each).sort())
  return ways.map((schemes) =>
    part({
      where,
      what: schemes.length === 0 ? `${name} without signing in` : `${name} by ${schemes.join(' and ')}`,
      within: keyOf(where, name),
      needs: schemes.map((scheme) => keyOf(api, schemeNamed(scheme))),
    }),
  )
}
