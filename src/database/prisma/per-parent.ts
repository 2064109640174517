import type { ColumnMeta } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import { keyText, valueText } from '../keys.ts'
import type { JoinedRow } from '../reader.ts'

/** The first rows of each parent, which the columns tell apart. */
export function firstOfEach(rows: readonly Row[], columns: readonly ColumnMeta[], take: number): readonly Row[] {
  const isWanted = countdown(take)
  return rows.filter((row) => isWanted(keyText(columns.map(({ name }) => row[name]))))
}

/** The first rows of each parent; a row that is none for any of its parents is left out. */
export function firstJoined(rows: readonly JoinedRow[], take: number): readonly JoinedRow[] {
  const isWanted = countdown(take)
  const isFirst = (parent: unknown) => isWanted(valueText(parent))
  const first: JoinedRow[] = []
  for (const joined of rows) {
    const parents = joined.parents.filter(isFirst)
    if (parents.length === joined.parents.length) first.push(joined)
    else if (parents.length > 0) first.push({ row: joined.row, parents })
  }
  return first
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
