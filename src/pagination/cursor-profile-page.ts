import { say } from '../document/text.ts'
import type { Row } from '../model/where.ts'
import { beyond } from './beyond.ts'
import type { CursorPosition } from './cursor-seal.ts'
import { failure } from './page-params.ts'
import type { Page, PageParams, PageSource } from './paginator.ts'
import { reversed, type SortKey, toOrder } from './sort-keys.ts'

/** What a page is asked by: the cursors as they were sent. */
export interface CursorPageParams {
  readonly size: number
  readonly after: string | null
  readonly before: string | null
}

/** What was read, in the order of the collection. */
export interface Part {
  readonly rows: readonly Row[]
  /** More rows lie behind these in the direction of reading; in a range, within it. */
  readonly goesOn: boolean
  /** Both undefined where nothing was sent. */
  readonly after: CursorPosition | undefined
  readonly before: CursorPosition | undefined
}

export async function readPart(source: PageSource, { size, ...cursors }: CursorPageParams): Promise<Part> {
  const keys = keysOf(source)
  const after = await placeOf(source, 'after', cursors.after)
  const before = await placeOf(source, 'before', cursors.before)
  // Nothing follows the end.
  if (after === null) return { rows: [], goesOn: false, after, before }
  const isBackward = isBackwards({ after, before })
  const found = await source.rows({
    where: { AND: [...(after ? [beyond(keys, after)] : []), ...(before ? [beyond(reversed(keys), before)] : [])] },
    order: toOrder(isBackward ? reversed(keys) : keys),
    columns: keys.map(({ column }) => column),
    take: size + 1,
  })
  const rows = found.slice(0, size)
  return { rows: isBackward ? rows.reverse() : rows, goesOn: found.length > size, after, before }
}

export const isRange = ({ after, before }: Pick<Part, 'after' | 'before'>): boolean =>
  after !== undefined && before !== undefined

const isBackwards = ({ after, before }: Pick<Part, 'after' | 'before'>): boolean =>
  after === undefined && before !== undefined

/** The links of a page; null is a page that does not exist. `cursors` are those of the rows. */
export function linksOf(
  part: Part,
  cursors: readonly string[],
  source: PageSource,
  params: CursorPageParams,
): Page['links'] {
  const { size } = params
  const last = { size, before: source.list.seal(null) }
  return {
    first: { size },
    prev: prevOf(part, cursors[0], params, last),
    next: nextOf(part, cursors.at(-1), params),
    last,
  }
}

function prevOf(
  part: Part,
  first: string | undefined,
  { size, before }: CursorPageParams,
  last: PageParams,
): PageParams | null {
  if (part.after === undefined) return isBackwards(part) && part.goesOn ? { size, before: first } : null
  // Whether rows lie in front of a cursor would take another query to know; where none do, that page is empty.
  if (first !== undefined) return { size, before: first }
  return before === null ? last : { size, before }
}

function nextOf(part: Part, last: string | undefined, { size, after }: CursorPageParams): PageParams | null {
  if (part.before === undefined) return part.goesOn ? { size, after: last } : null
  if (part.before === null) return isRange(part) && part.goesOn ? { size, after: last } : null
  if (last !== undefined) return { size, after: last }
  return after === null ? { size } : { size, after }
}

// Beside the rest of an URL there is no room for longer ones.
const maxTextLength = 1500

/** The cursor of a row that has the columns of the order. */
export function cursorOf(row: Row, { list, idOf }: Pick<PageSource, 'list' | 'idOf'>): string {
  const values = keysOf({ list }).map(({ column }) => row[column])
  const length = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  return list.seal(length > maxTextLength ? idOf(row) : values)
}

async function placeOf(
  source: PageSource,
  key: 'after' | 'before',
  cursor: string | null,
): Promise<readonly unknown[] | null | undefined> {
  if (cursor === null) return undefined
  const place = source.list.open(cursor)
  if (place === undefined)
    throw failure(key, say`Page parameter ${key} is not a cursor of this collection in this order.`)
  if (typeof place !== 'string') return place
  const row = await source.find(place)
  if (!row) throw failure(key, say`Page parameter ${key} names a resource that is not in this collection any more.`)
  return keysOf(source).map(({ column }) => row[column])
}

function keysOf({ list }: Pick<PageSource, 'list'>): readonly SortKey[] {
  if (!list.keys) throw new Error('Rows cannot be compared by the order of this collection.')
  return list.keys
}
