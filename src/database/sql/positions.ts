import { type BoundedCache, boundedCache } from '../../request/bounded-cache.ts'
import type { Bound, Version } from '../sql-database.ts'

/** A row's place in a list, and the values, as they are stored, that the list is ordered by. */
export interface Position {
  readonly skip: number
  readonly values: readonly Bound[]
}

/** Of so many rows that follow each other one position is kept. */
const apart = 500
const mostOfList = 100
const mostLists = 100

/** Positions in long lists, until the version of the database says that a write has been committed: then none is used again. */
export class Positions {
  private seen: Version | null = null
  private lists = noLists()

  /** The last one that is kept of those which are not behind so many rows. */
  nearest(now: Version, list: string, skip: number): Position | null {
    let nearest: Position | null = null
    for (const position of this.positionsOf(now, list).values())
      if (position.skip <= skip && position.skip > (nearest?.skip ?? 0)) nearest = position
    return nearest
  }

  /** `now`: the version of the database, read before the row was. */
  keep(now: Version, list: string, position: Position): void {
    const known = this.positionsOf(now, list)
    const part = Math.floor(position.skip / apart)
    const kept = known.get(part)
    if (kept && kept.skip <= position.skip) return
    if (!kept && known.size === mostOfList) known.clear()
    known.set(part, position)
  }

  private positionsOf(now: Version, list: string): Map<number, Position> {
    if (now !== this.seen) {
      this.seen = now
      this.lists = noLists()
    }
    return this.lists.get(list, () => new Map())
  }
}

const noLists = (): BoundedCache<Map<number, Position>> => boundedCache(mostLists, 262_144)
