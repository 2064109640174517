import { tooMuchWritten } from '../document/errors.ts'
import type { Row } from '../model/where.ts'

/** What `preparing` hooks are shown of a write. */
export interface ShownToHooks {
  /** Null on create. */
  readonly row: Row | null
  readonly data: Row
  readonly input: Row
}

/** What `preparing` hooks fill in. */
export interface Prepared {
  readonly columns: Row
  /** Would they say the same of this? */
  isFor(shown: ShownToHooks): boolean
}

/** What is known of a write before its transaction begins. There is one for each resource that a request writes. */
export class Preparation {
  /** Null while the hooks have not run. */
  prepared: Prepared | null = null
  /** How often they have. */
  runs = 0
  /**
   * Policies or rules have read rows beside the one that is written: inside of the transaction they are asked again.
   */
  hasReadOthers = false
  readonly #parts = new Map<object | string, Preparation>()

  /** That of one of several operations. */
  of(operation: object): Preparation {
    return this.#part(operation)
  }

  /** That of a resource of another type, which changes by being linked. */
  ofLinked(type: string, id: string): Preparation {
    return this.#part(`${type} ${id}`)
  }

  /** That of a call of the application's own, which is made inside of the write. */
  ofCall(number: number): Preparation {
    return this.#part(`call ${number}`)
  }

  #part(key: object | string): Preparation {
    const known = this.#parts.get(key)
    if (known) return known
    const part = new Preparation()
    this.#parts.set(key, part)
    return part
  }
}

/** A link of a join table that there is: it is read, and may end. */
export const pointsOfLink = 20
/** A row that keeps a link: it is read whole and judged, and written with others. */
export const pointsOfRow = 25
/** The same where it is written alone, because hooks look at it, or because it is a link itself. */
export const pointsOfWrittenRow = 300
/** A link, or a row, that the database removes with another one. */
export const pointsOfGone = 80

/**
 * What one attempt of a write has cost so far, in the points of `limits.cost`. What a document names
 * has a price before anything is read; what it takes the place of is only known when it is found.
 */
export class Spent {
  readonly #limit: number
  #points = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many things of that price there may still be. */
  left(price: number): number {
    return Math.max(0, Math.floor((this.#limit - this.#points) / price))
  }

  /** @throws {JsonApiError} 400 where all of it together is more than a request may cost. */
  add(points: number): void {
    this.#points += points
    if (this.#points > this.#limit) throw tooMuchWritten('/data', null)
  }
}
