import type { DocumentParts } from './document.ts'

/**
 * A document as JSON, in pieces of some ten thousand characters, so that a large one is never in memory as a whole.
 * Where a piece takes much work, it is smaller, or empty, so that none takes long.
 *
 * @param indent the spaces of a level, 0 for one line. Each path and component of a large document is one line anyway.
 */
export function* documentText(document: DocumentParts, indent = 0): Generator<string> {
  let piece = ''
  for (const text of members(document, indent)) {
    piece += text
    if (text !== '' && piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece
}

const pieceLength = 32_768

function* members(document: DocumentParts, indent: number): Generator<string> {
  const { head, isLarge, prepare, paths, componentsInSteps } = document
  const place = { indent, inside: isLarge ? 0 : indent, depth: 0 }
  for (const _ of prepare()) yield ''
  yield '{'
  for (const [name, value] of Object.entries(head)) yield `${member(name, value, { ...place, depth: 1 })},`
  yield `${key('paths', { ...place, depth: 1 })}{`
  yield* list(paths(), { ...place, depth: 2 })
  yield `${line({ ...place, depth: 1 })}},${key('components', { ...place, depth: 1 })}{`
  const components = yield* silently(componentsInSteps())
  let isFirst = true
  for (const [family, parts] of Object.entries(components)) {
    yield `${isFirst ? '' : ','}${key(family, { ...place, depth: 2 })}{`
    yield* list(Object.entries(parts), { ...place, depth: 3 })
    yield `${line({ ...place, depth: 2 })}}`
    isFirst = false
  }
  yield `${line({ ...place, depth: 1 })}}${line(place)}}`
}

function* silently<T>(steps: Generator<undefined, T>): Generator<string, T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    yield ''
  }
}

interface Place {
  readonly indent: number
  /** Of what is inside of a member. */
  readonly inside: number
  readonly depth: number
}

function* list(entries: Iterable<readonly [string, unknown]>, place: Place): Generator<string> {
  let isFirst = true
  for (const [name, value] of entries) {
    yield (isFirst ? '' : ',') + member(name, value, place)
    isFirst = false
  }
}

// A text has no line breaks of its own in JSON.
const member = (name: string, value: unknown, place: Place): string =>
  key(name, place) + JSON.stringify(value, null, place.inside).replaceAll('\n', line(place))

const key = (name: string, place: Place): string =>
  `${line(place)}${JSON.stringify(name)}:${place.indent > 0 ? ' ' : ''}`

const line = ({ indent, depth }: Pick<Place, 'indent' | 'depth'>): string =>
  indent > 0 ? `\n${' '.repeat(indent * depth)}` : ''
