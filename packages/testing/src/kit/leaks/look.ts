import { isObject } from '../judges/judged.ts'
import { hiddenMembers, hiddenRows, schemasOf, type World } from './world.ts'

/** What an answer says. */
interface Said {
  readonly document: unknown
  readonly headers?: Headers
}

/** Adds what it sees to `seen`, and answers with what it found to be told of hidden rows. */
type Look = (said: Said, request: string, seen: Set<string>) => string[]

/** Say nothing of rows, and have numbers and words of their own. */
const silent =
  /^(?:date|connection|keep-alive|content-length|content-type|transfer-encoding|vary|allow|age|expires|cache-control|strict-transport-security|x-request-id|server-timing|(?:x-)?ratelimit.*|retry-after|access-control-.*|content-security-policy.*)$/i

/** Finds identifiers, links and values of hidden rows anywhere in an answer. Echoes of the request are no leak. */
export function lookFor(world: World): Look {
  const schemas = schemasOf(world)
  const hidden = new Map(schemas.map((schema) => [schema.type, new Set(hiddenRows(world, schema).map(({ id }) => id))]))
  const members = new Set(
    schemas.flatMap((schema) => hiddenMembers(world, schema).map(({ id, name }) => `${schema.type}/${id} ${name}`)),
  )
  const rows = [...[...world.hidden.values()].flat(), ...(world.values ?? [])]
  const values = new Set(rows.flatMap((row) => row.values))
  const named = new Set(rows.flatMap((row) => row.named ?? []).map(([name, value]) => `${name} ${value}`))
  const markers = rows.flatMap((row) => row.markers)

  const pieceOf = (text: string): string | undefined => markers.find((marker) => text.includes(marker))
  const tells = (value: unknown, name: string): string | undefined => {
    const text = String(value)
    return values.has(text) || named.has(`${name} ${text}`) ? text : pieceOf(text)
  }
  const linked = new RegExp(`(?=${escaped(world.server.basePath)}/([^/?#\\s"<>]+)/([^/?#\\s"<>,;]+))`, 'g')
  /** The hidden rows that a text has links to, `crews/bob`. */
  const links = (text: string): readonly string[] =>
    [...text.matchAll(linked)].flatMap(([, type = '', id = '']) =>
      hidden.get(type)?.has(decoded(id)) ? [`${type}/${decoded(id)}`] : [],
    )
  /** What a link asks for may tell as much as where it leads to. */
  const asksFor = (text: string): string | undefined => {
    const [, query = ''] = /\?([^#]*)/.exec(text) ?? []
    return [...new URLSearchParams(query).values()].find((value) => Number.isNaN(Number(value)) && values.has(value))
  }

  const visitText = (value: string, at: string, sink: Sink): void => {
    if (isFixed(at) || isReckoned(at)) return
    const name = at.slice(at.lastIndexOf('.') + 1)
    const told = links(value).filter((each) => at.includes('.links.') || !sink.request.includes(each))
    if (told.length > 0 && !sink.isError) sink.found.push(`links to a hidden row at ${at}`)
    const isLink = at.includes('.links.')
    const found = isLink ? asksFor(value) : tells(value, name)
    if (found === undefined || (told.length > 0 && !isLink)) return
    const isRepeated = isLink ? sink.request.includes(found) : isEcho(value, found, sink)
    if (!isRepeated) sink.found.push(`tells ${found} at ${at}`)
  }
  const visit = (value: unknown, at: string, sink: Sink): void => {
    if (typeof value === 'string') {
      visitText(value, at, sink)
      return
    }
    if (typeof value !== 'object' || value === null) {
      const marker = isCount(at) || isReckoned(at) ? undefined : tells(value, at.slice(at.lastIndexOf('.') + 1))
      if (marker !== undefined && !isEcho(value, marker, sink)) sink.found.push(`tells ${marker} at ${at}`)
      return
    }
    const { type, id } = value as { type?: unknown; id?: unknown }
    const isIdentity = typeof type === 'string' && typeof id === 'string'
    const isHidden = isIdentity && (hidden.get(type)?.has(id) ?? false)
    if (isIdentity) sink.seen.add(`${type}/${id}`)
    if (isIdentity && members.size > 0) visitMembers(value, at, sink)
    if (isHidden) sink.found.push(`tells ${id} at ${at}.id`)
    for (const [name, member] of Object.entries(value))
      if (!isHidden || name !== 'id') visit(member, `${at}.${name}`, sink)
  }
  /** A field that is hidden is absent, and so not even null. */
  const visitMembers = (resource: object, at: string, { found }: Sink): void => {
    const { type, id, attributes, relationships } = resource as Readonly<Record<string, unknown>>
    for (const [where, fields] of Object.entries({ attributes, relationships }))
      for (const name of isObject(fields) ? Object.keys(fields) : [])
        if (members.has(`${type}/${id} ${name}`)) found.push(`shows ${name} at ${at}.${where}`)
  }
  const visitHeader = (name: string, value: string, { request, found }: Sink): void => {
    if (links(value).some((each) => !request.includes(each))) found.push(`links to a hidden row in the header ${name}`)
    const words = [value, ...value.split(/[\s,;="<>]+/)].filter((word) => Number.isNaN(Number(word)))
    const told = words.find((word) => values.has(word)) ?? pieceOf(value)
    if (told !== undefined && !request.includes(told)) found.push(`tells ${told} in the header ${name}`)
  }
  return ({ document, headers }, request, seen) => {
    const sink = { found: [], request, seen, isError: isObject(document) && 'errors' in document }
    visit(document, '', sink)
    for (const [name, value] of headers ?? []) if (!silent.test(name)) visitHeader(name, value, sink)
    return sink.found
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What JSON:API says, and no row. */
const isFixed = (at: string): boolean => /^\.(?:jsonapi\.|errors\.\d+\.status$)/.test(at)

/** What the server counted itself: pages, and members. */
const isCount = (at: string): boolean => /\.meta\.(?:page\.[\w.]+|count)$/.test(at)

/** Figures that are no value of a row: they may equal one by chance. `compareFigures` reckons them again. */
const isReckoned = (at: string): boolean => /\.stats\.[^.]+\.(?:count|sum|avg)$/.test(at)

/** What only repeats the request: an error that quotes it, a page by its number. */
const isEcho = (value: unknown, marker: string, { isError, request }: Sink): boolean =>
  isError ? request.includes(marker) : request.endsWith(`]=${value}`) && request.includes('?page[')

interface Sink {
  readonly found: string[]
  readonly request: string
  readonly seen: Set<string>
  readonly isError: boolean
}
