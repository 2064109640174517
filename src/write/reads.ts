import { isDeepStrictEqual } from 'node:util'
import type { Row } from '../model/where.ts'

/** Which members of an object a hook reads. */
export class Reads {
  readonly #members = new Set<PropertyKey>()
  #isAll = false

  /** The object, as the hook is given it. */
  watched<T extends Row>(object: T): T {
    return new Proxy(object, {
      get: (target, member) => {
        this.#members.add(member)
        return Reflect.get(target, member)
      },
      has: (target, member) => {
        this.#members.add(member)
        return Reflect.has(target, member)
      },
      ownKeys: (target) => {
        this.#isAll = true
        return Reflect.ownKeys(target)
      },
    })
  }

  /** Have both what was read, and the same of it. */
  areSame(one: Row, other: Row): boolean {
    if (this.#isAll) return isDeepStrictEqual({ ...one }, { ...other })
    return [...(this.#members as Set<string>)].every(
      (member) => member in one === member in other && isDeepStrictEqual(one[member], other[member]),
    )
  }
}
