import type { Row } from '../model/where.ts'

/** What is known of a write before its transaction begins. There is one for each resource that a request writes. */
export class Preparation {
  /** What `preparing` hooks fill in; null while they have not run. */
  columns: Row | null = null
  /** Policies or rules have read rows beside the one that is written: inside of the transaction they are asked again. */
  hasReadOthers = false
  readonly #parts = new Map<object, Preparation>()

  /** That of one of several operations. */
  of(operation: object): Preparation {
    const known = this.#parts.get(operation)
    if (known) return known
    const part = new Preparation()
    this.#parts.set(operation, part)
    return part
  }
}
