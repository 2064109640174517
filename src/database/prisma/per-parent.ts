import type { ColumnMeta } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import { keyText } from '../keys.ts'
import type { JoinedRow } from '../reader.ts'

/** The first rows of each parent, which the columns tell apart. */
export function firstOfEach(rows: readonly Row[], columns: readonly ColumnMeta[], take: number): readonly Row[] {
  const isWanted = countdown(take)
  return rows.filter((row) => isWanted(keyText(columns.map(({ name }) => row[name]))))
}

/** The first rows of each parent; a row that is none for any of its parents is left out. */
export function firstJoined(rows: readonly JoinedRow[], take: number): readonly JoinedRow[] {
  const isWanted = countdown(take)
  return rows
    .map(({ row, parents }) => ({ row, parents: parents.filter((parent) => isWanted(keyText([parent]))) }))
    .filter(({ parents }) => parents.length > 0)
}

/** Is this one of the first `take` calls with that key. */
function countdown(take: number): (key: string) => boolean {
  const taken = new Map<string, number>()
  return (key) => {
    const count = (taken.get(key) ?? 0) + 1
    taken.set(key, count)
    return count <= take
  }
}
