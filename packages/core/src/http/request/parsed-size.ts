import { randomBytes } from 'node:crypto'

/**
 * The bytes that V8 makes of each part of a JSON text, beside the text's: an empty object has room for four members.
 */
const sizes = { object: 36, emptyObject: 64, array: 48, member: 16, element: 8, string: 24, shape: 160 }
/** V8 makes a dictionary of an object with more names: each has a place there, and none has a shape. */
const mostNamesOfShapes = 128
const dictionaryEntry = 64
/** Names that are integers are elements, as those of an array are, of which each object that has any keeps a table. */
const elements = { first: 168, further: 56 }

/** What a JSON text will take before it is parsed: the memory of its values, and how deep it nests. */
interface ParsedSize {
  readonly size: number
  readonly depth: number
}

/** An array or object whose end has not come: objects with the same names in the same order have one shape. */
interface Open {
  shape: number
  names: number
  hasElements: boolean
}

// Of this process alone, so that no client makes names that count as one.
const [seed, factor] = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE() | 1]

function mix(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, factor)
  return product ^ (product >>> 15)
}

/**
 * The size of a JSON text once it is parsed, by its signs alone, so that a text of which each three bytes become an
 * object of sixty is never parsed. What is more than the most is not looked at to its end.
 */
export function parsedSize(json: Buffer, most: ParsedSize): ParsedSize {
  const shapes = new Set<number>()
  const outer: Open[] = []
  let open: Open = { shape: seed, names: 0, hasElements: false }
  let [size, start, end, text, string, deepest] = [0, 0, 0, seed, 0, 0]
  for (let at = 0; at < json.length && size <= most.size && deepest <= most.depth; at++) {
    const sign = json[at]
    if (sign === 0x22) {
      start = at + 1
      for (text = seed, at++; at < json.length && json[at] !== 0x22; at++) {
        if (json[at] === 0x5c) text = mix(text, json[at++] as number)
        text = mix(text, json[at] as number)
      }
      end = at
      // V8 has each text of one character once.
      string = end - start < 2 ? 0 : sizes.string
      size += string
    } else if (sign === 0x3a) {
      // What stood before the colon was a name, which is kept once.
      size -= string
      string = 0
      if (isInteger(json, start, end)) {
        size += open.hasElements ? elements.further : elements.first
        open.hasElements = true
      } else if (++open.names > mostNamesOfShapes) size += dictionaryEntry
      else {
        open.shape = mix(open.shape, text)
        size += shapes.has(open.shape) ? sizes.member : sizes.member + sizes.shape
        shapes.add(open.shape)
      }
    } else if (sign === 0x2c) size += sizes.element
    else if (sign === 0x7b || sign === 0x5b) {
      size += sign === 0x5b ? sizes.array : isEmpty(json, at + 1) ? sizes.emptyObject : sizes.object
      outer.push(open)
      open = { shape: seed, names: 0, hasElements: false }
      deepest = Math.max(deepest, outer.length)
    } else if (sign === 0x7d || sign === 0x5d) open = outer.pop() ?? open
  }
  return { size, depth: deepest }
}

function isEmpty(json: Buffer, from: number): boolean {
  let at = from
  while ((json[at] ?? 0x7d) <= 0x20) at++
  return json[at] === 0x7d
}

/** Is the name an integer as V8 writes it, of nine digits at the most? Longer ones may be too large for an element. */
function isInteger(json: Buffer, start: number, end: number): boolean {
  if (end === start || end - start > 9 || (json[start] === 0x30 && end - start > 1)) return false
  for (let at = start; at < end; at++) if ((json[at] as number) < 0x30 || (json[at] as number) > 0x39) return false
  return true
}
