import { isObject } from '../json.ts'
import { isMatcher } from '../matcher.ts'

// What is expected may leave out what it does not care about: of what was found, only that is compared which it names.
// A matcher names nothing, and sees all.

/** An object without the members that are not named. */
export const partly = (found: unknown, wanted: unknown, next: Next = whole): unknown =>
  isObject(found) && isObject(wanted) && !isMatcher(wanted)
    ? Object.fromEntries(
        Object.keys(found)
          .filter((name) => Object.hasOwn(wanted, name))
          .map((name) => [name, next(found[name], wanted[name], name)]),
      )
    : found

type Next = (found: unknown, wanted: unknown, name: string) => unknown

const whole: Next = (found) => found

/** A resource object: attributes, relationships and their members, links and meta as far as they are named. */
export const partOfResource = (found: unknown, wanted: unknown): unknown => partly(found, wanted, partOfMember)

const partOfMember: Next = (found, wanted, name) =>
  partly(found, wanted, name === 'relationships' ? (each, of) => partly(each, of) : whole)
