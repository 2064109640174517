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
  /** Policies or rules have read rows beside the one that is written: inside of the transaction they are asked again. */
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

  #part(key: object | string): Preparation {
    const known = this.#parts.get(key)
    if (known) return known
    const part = new Preparation()
    this.#parts.set(key, part)
    return part
  }
}
