import type { OrderTerm } from '../condition/order-term.ts'
import type { CursorPosition, CursorSeal } from './cursor-seal.ts'
import { type Ordered, type SortKey, sortKeys } from './sort-keys.ts'

/** A collection in its order, as cursors speak of it. */
export interface OrderedList {
  /** Null where rows cannot be compared by a term of the order. */
  readonly keys: readonly SortKey[] | null
  /** The cursor of a place. */
  seal(place: CursorPosition): string
  /** The place of a cursor; undefined for what is no cursor of this list. */
  open(cursor: string): CursorPosition | undefined
}

export interface ListParts extends Ordered {
  readonly cursorSeal: CursorSeal
  /** What the rows are, of which server. */
  readonly name: string
}

/** A cursor says where it is by the values of its order, so it is good for every collection of a type in that order. */
export function orderedList(order: readonly OrderTerm[], { cursorSeal, name, ...ordered }: ListParts): OrderedList {
  const list = [name, ...order.map((term) => termText(term, ordered))].join('\0')
  return {
    keys: sortKeys(order, ordered),
    seal: (place) => cursorSeal.seal(list, place),
    open: (cursor) => cursorSeal.open(list, cursor),
  }
}

// The type is a part of it: a cursor may be older than the last migration.
function termText({ path, direction, nulls }: OrderTerm, { model }: Ordered): string {
  const column = path.length === 1 ? model.columns[path[0] as string] : undefined
  return [direction, ...(nulls ? [nulls] : []), ...path, column?.type, column?.isNullable].join(' ')
}
