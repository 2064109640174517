import { spellingOf, storedInstant } from '../model/prisma-values.ts'
import { bytesSeal } from './bytes-seal.ts'

/**
 * A place in an ordered list: the values of a row's sort keys, the id of a row
 * whose values are too long to be carried, or null for the end of the list.
 *
 * @internal
 */
export type CursorPosition = readonly unknown[] | string | null

/** Makes cursors, and reads them again. `list` says what the place is in: a cursor of another list cannot be opened. */
export interface CursorSeal {
  seal(list: string, place: CursorPosition): string
  /** Undefined for what this seal did not make for that list. */
  open(list: string, cursor: string): CursorPosition | undefined
}

/**
 * Cursors are sealed: a schema's own order may use a column that no client is shown. The same place has the same
 * cursor, so that documents do not change from one request to the next.
 *
 * @param secret what all processes that serve one API have in common; null: a key that lives as long as this process.
 */
export function cursorSeal(secret: string | null): CursorSeal {
  const { seal, open } = bytesSeal(secret, 'prismapi cursors')
  return {
    seal: (list, place) => seal(list, Buffer.from(encode(place))),
    open(list, cursor) {
      const bytes = open(list, cursor)
      return bytes === null ? undefined : decode(bytes.toString())
    },
  }
}

const encode = (place: CursorPosition): string => JSON.stringify(Array.isArray(place) ? place.map(toJson) : place)

function decode(text: string): CursorPosition {
  const place = JSON.parse(text)
  return Array.isArray(place) ? place.map(fromJson) : place
}

type Tagged =
  | readonly ['date', number]
  | readonly ['stored', number, string | number]
  | readonly ['bigint' | 'decimal' | 'float', string]

/** What JSON has no value for becomes a pair; no value of a sort key is an array itself. */
function toJson(value: unknown): unknown {
  if (value instanceof Date) {
    const stored = spellingOf(value)
    const instant = value.getTime()
    return stored === undefined ? (['date', instant] satisfies Tagged) : (['stored', instant, stored] satisfies Tagged)
  }
  if (typeof value === 'bigint') return ['bigint', String(value)] satisfies Tagged
  if (typeof value === 'number' && !Number.isFinite(value)) return ['float', String(value)] satisfies Tagged
  // Prisma's Decimal. Not its toString(), which writes small and large numbers with an exponent.
  if (typeof value === 'object' && value !== null)
    return ['decimal', (value as { toFixed(): string }).toFixed()] satisfies Tagged
  return value
}

function fromJson(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const [kind, text, stored] = value as unknown as Tagged
  if (kind === 'date') return new Date(text)
  if (kind === 'stored') return storedInstant(new Date(text), stored)
  if (kind === 'bigint') return BigInt(text)
  return kind === 'float' ? Number(text) : text
}
