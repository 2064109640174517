import { hiddenRows, schemasOf, type World } from './leak-world.ts'

/** Adds what it sees to `seen`, and answers with what it found to be told of hidden rows. */
type Look = (document: unknown, asked: string, seen: Set<string>) => string[]

/** Finds identifiers, links and values of hidden rows anywhere in a document. What only repeats the request is no leak. */
export function lookFor(world: World): Look {
  const schemas = schemasOf(world)
  const hidden = new Map(schemas.map((schema) => [schema.type, new Set(hiddenRows(world, schema).map(({ id }) => id))]))
  const ids = new Set([...hidden.values()].flatMap((each) => [...each]))
  const markers = [...world.hidden.values()].flat().flatMap((row) => row.markers)

  const tells = (value: unknown): string | undefined =>
    ids.has(String(value)) ? String(value) : markers.find((marker) => String(value).includes(marker))
  const links = (value: string): boolean => {
    const [type = '', id = ''] = new URL(value).pathname.slice(world.server.basePath.length + 1).split('/')
    return hidden.get(type)?.has(decodeURIComponent(id)) ?? false
  }
  const visit = (value: unknown, at: string, sink: Sink): void => {
    if (typeof value === 'string' && at.includes('.links.')) {
      if (links(value)) sink.found.push(`links to a hidden row at ${at}`)
      return
    }
    if (typeof value !== 'object' || value === null) {
      const marker = tells(value)
      if (marker !== undefined && !isEcho(value, marker, sink)) sink.found.push(`tells ${marker} at ${at}`)
      return
    }
    const { type, id } = value as { type?: unknown; id?: unknown }
    if (typeof type === 'string' && typeof id === 'string') sink.seen.add(`${type}/${id}`)
    for (const [name, member] of Object.entries(value)) visit(member, `${at}.${name}`, sink)
  }
  return (document, asked, seen) => {
    const sink = { found: [], asked, seen, isError: 'errors' in (document as object) }
    visit(document, '', sink)
    return sink.found
  }
}

/** What only repeats the request: an error that quotes it, a page by its number. */
const isEcho = (value: unknown, marker: string, { isError, asked }: Sink): boolean =>
  isError ? asked.includes(marker) : asked.endsWith(`]=${value}`) && asked.includes('?page[')

interface Sink {
  readonly found: string[]
  readonly asked: string
  readonly seen: Set<string>
  readonly isError: boolean
}
