import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer, TestRequest } from '../../send.ts'
import { answerFaults } from '../judges/answer-faults.ts'
import { type Expected, isObject, type Json, paginationLinks } from '../judges/judged.ts'
import type { Asker, TestedServer } from '../tested.ts'
import { sightings } from './sightings.ts'

/** A request, and what its answer may be. */
export interface Question extends Omit<TestRequest, 'method'> {
  /** GET, if it is not said. */
  readonly method?: string
  /** Below the base path of the server. */
  readonly path: string
  readonly status: readonly number[]
  readonly primary?: Expected['primary']
  /** What a refusal has to name as its cause. */
  readonly parameter?: string
}

/** Asks one server as one caller. It compares each answer with earlier ones, and collects faults and links. */
export interface Interview {
  readonly server: TestedServer
  /** Statuses by which this application says no. */
  readonly denials: readonly number[]
  /** A line each, and each once. */
  readonly faults: ReadonlySet<string>
  /** Every link that was met, with the kind of place where it was first: `relationships.tags.related`. */
  readonly links: ReadonlyMap<string, string>
  ask(question: Question): Promise<Answer>
  /** Something is wrong with an answer that no document shows by itself. */
  note(answer: Pick<Answer, 'request'>, what: string): void
}

/** Begins an interview. */
export function interview({ server, caller, origin, ask }: Asker, denials: readonly number[]): Interview {
  const faults = new Set<string>()
  const links = new Map<string, string>()
  const seen = sightings(server.schemas)
  const tell = (method: string, path: string, { what, sent = '' }: Told) =>
    void faults.add(`${method} ${decoded(path)} as ${caller}${sent}: ${what}`)
  return {
    server,
    denials,
    faults,
    links,
    note: ({ request: { method, path } }, what) => tell(method, path, { what }),
    async ask({ status, primary = null, parameter, method = 'GET', path, ...rest }) {
      const request = { ...rest, method, path: server.basePath + path }
      const answer = await ask(request)
      const sent = sentWith(rest)
      const note = (what: string) => tell(method, request.path, { what, sent })
      if (!status.includes(answer.status))
        note(`the status is ${answer.status}, not ${status.join(' or ')}${toldBy(answer)}`)
      for (const fault of answerFaults(server, request, { ...answer, primary })) note(fault)
      if (parameter !== undefined && answer.status === 400 && !namesParameter(answer, parameter))
        note(`no error has the source.parameter ${parameter}`)
      for (const fault of seen.compare(answer, `${method} ${decoded(request.path)}`)) note(fault)
      for (const [href, at] of linksIn(answer.document)) {
        if (!links.has(href)) links.set(href, at)
        const [first = href] = links.keys()
        const fault = originFault(href, origin ?? first)
        if (fault) note(`${at} ${fault}`)
      }
      return answer
    },
  }
}

interface Told {
  readonly what: string
  /** What else was sent, for messages. */
  readonly sent?: string
}

/** The body, and headers that are not the usual ones. */
function sentWith({ headers = {}, body }: Pick<TestRequest, 'headers' | 'body'>): string {
  const all = [
    ...Object.entries(headers).map(([name, value]) => `${name} ${value}`),
    ...(body === undefined ? [] : [body]),
  ]
  return all.length > 0 ? ` with ${all.join(' and ')}` : ''
}

/** As people read it: brackets and commas as they are. */
const decoded = (path: string): string => path.replace(/%5B/gi, '[').replace(/%5D/gi, ']').replace(/%2C/gi, ',')

function toldBy({ document }: Answer): string {
  const [error] = document?.errors ?? []
  return error?.detail ? ` (${error.detail})` : ''
}

const namesParameter = ({ document }: Answer, parameter: string): boolean =>
  (document?.errors ?? []).some(
    ({ source }) => source !== undefined && 'parameter' in source && source.parameter === parameter,
  )

const followed = new Set(['self', 'related', ...paginationLinks])

/** Links of links objects, each with its kind of place; attributes may look alike, and are none. */
function* linksIn(value: unknown, at = ''): Generator<readonly [href: string, at: string]> {
  if (Array.isArray(value)) for (const each of value) yield* linksIn(each, at)
  if (!isObject(value)) return
  const { attributes: _, meta: __, links, ...rest } = value
  for (const [name, link] of Object.entries(isObject(links) ? links : {})) {
    const href = isObject(link) ? link.href : link
    if (followed.has(name) && typeof href === 'string') yield [href, `${at}${name}`]
  }
  for (const [name, inner] of Object.entries(rest)) yield* linksIn(inner, `${at}${name}.`)
}

/** All links of an application begin alike. Relative ones lead there anyhow. */
function originFault(href: string, other: string): string | null {
  if (!URL.canParse(href) || !URL.canParse(other)) return null
  const [found, due] = [new URL(href).origin, new URL(other).origin]
  return found === due ? null : `is a link to ${found}, and should be one to ${due}`
}

/** What the application's own rules for queries may refuse. */
export const allowed = ({ server }: Pick<Interview, 'server'>, { model }: ResourceSchema): readonly number[] => {
  const classes = server.requests.get(model.name)
  return classes?.query || classes?.collectionQuery ? [200, 400] : [200]
}

/** The resources of a document's primary data. */
export const resourcesIn = ({ document }: Pick<Answer, 'document'>): readonly Json[] =>
  [(document?.data ?? []) as unknown].flat().filter(isObject)

/** What a resource says of one of its attributes; undefined where it says nothing. */
export const valueIn = ({ attributes }: Json, { name }: Pick<Attribute, 'name'>): unknown =>
  isObject(attributes) ? attributes[name] : undefined
