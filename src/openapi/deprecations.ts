import { type Deprecation, endingOf } from '../schema/deprecation.ts'
import { operationsOf } from './audience.ts'
import type { Paths } from './described.ts'
import { type Described, headerRef, type Part } from './described.ts'
import { header } from './responses.ts'

/** What is said of an operation, a parameter or a schema that will be gone. */
export const deprecatedPart = (...deprecations: readonly (Deprecation | null)[]): Part => {
  return deprecations.some((each) => each !== null) ? { deprecated: true, ...deprecationDates(...deprecations) } : {}
}

/** The same of a document, which cannot say `deprecated`. OpenAPI has no words for dates; `x-sunset` is what tools look for. */
export function deprecationDates(...deprecations: readonly (Deprecation | null)[]): Part {
  const ending = endingOf(deprecations.flatMap((each) => each ?? []))
  if (!ending) return {}
  const { since, sunset } = ending
  return { 'x-deprecated-since': since, ...(sunset !== null && { 'x-sunset': sunset }) }
}

/** The headers that answers refer to; nothing where nothing is deprecated. */
export const deprecationHeaders = ({ deprecates }: Pick<Described, 'deprecates'>): Part =>
  deprecates
    ? {
        Deprecation: header(
          'Since when something that the request uses is deprecated: `@` and the seconds since 1970 (RFC 9745).',
        ),
        Sunset: header('From when on it may be gone (RFC 8594).'),
        Link: header('Pages about it: `rel="deprecation"`, `rel="sunset"`.'),
      }
    : {}

const told: Part = { Deprecation: headerRef('Deprecation'), Sunset: headerRef('Sunset'), Link: headerRef('Link') }

/** Says of each operation of the paths that it will be gone, and that its answers say so. */
export function deprecating(server: Described): (paths: Paths) => Paths {
  const { deprecates, deprecation, schemas } = server
  if (!deprecates) return (paths) => paths
  const ends = new Map(
    [...schemas.byType.values()].flatMap((schema) =>
      operationsOf(schema).map(([id, operation]) => {
        const part = 'action' in operation ? operation.action : 'relation' in operation ? operation.relation : schema
        return [id, endOf(deprecation, schema.deprecation, part.deprecation)] as const
      }),
    ),
  )
  const marked = (operation: Part): Part => {
    const end = ends.get(operation.operationId as string) ?? endOf(deprecation)
    return 'deprecated' in end ? { ...operation, ...end, responses: telling(operation.responses) } : operation
  }
  const markedItem = (item: Part): Part =>
    Object.fromEntries(
      Object.entries(item).map(([name, part]) => [name, name === 'parameters' ? part : marked(part as Part)]),
    )
  return (paths) => Object.fromEntries(Object.entries(paths).map(([url, item]) => [url, markedItem(item)]))
}

/** Of an operation, which can lead to a page as well. */
function endOf(...deprecations: readonly (Deprecation | null)[]): Part {
  const url = deprecations.find((each) => each?.link !== undefined)?.link
  return { ...deprecatedPart(...deprecations), ...(url !== undefined && { externalDocs: { url: new URL(url).href } }) }
}

const telling = (responses: unknown): Part =>
  Object.fromEntries(
    Object.entries(responses as Readonly<Record<string, Part>>).map(([status, response]) => [
      status,
      status.startsWith('2') ? { ...response, headers: { ...(response.headers as Part), ...told } } : response,
    ]),
  )
