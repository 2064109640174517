import { isObject } from '../json.ts'
import { isMatched, isMatcher, textOf } from '../matcher.ts'

/** Where two values differ, one line for each place. What is expected is as `toWanted` gives it. */
export function differences(at: string, found: unknown, wanted: unknown): readonly string[] {
  const isRight = isMatcher(wanted) ? isMatched(found, wanted) : Object.is(found, wanted)
  if (isRight) return []
  if (Array.isArray(found) && Array.isArray(wanted)) return ofLists(at, found, wanted)
  if (isObject(found) && isObject(wanted) && !isMatcher(wanted)) return ofObjects(at, found, wanted)
  return [`${at}: found ${shown(found)}, expected ${shown(wanted)}`]
}

function ofLists(at: string, found: readonly unknown[], wanted: readonly unknown[]): readonly string[] {
  const lines = wanted.flatMap((each, i) =>
    i < found.length ? differences(`${at}[${i}]`, found[i], each) : [`${at}[${i}]: missing, expected ${shown(each)}`],
  )
  const more = found.slice(wanted.length)
  return [...lines, ...more.map((each, i) => `${at}[${wanted.length + i}]: found ${shown(each)}, expected nothing`)]
}

type Members = Readonly<Record<string, unknown>>

function ofObjects(at: string, found: Members, wanted: Members): readonly string[] {
  const lines = Object.entries(wanted).flatMap(([name, each]) =>
    Object.hasOwn(found, name)
      ? differences(placeOf(at, name), found[name], each)
      : [`${placeOf(at, name)}: missing, expected ${shown(each)}`],
  )
  const more = Object.keys(found).filter((name) => !Object.hasOwn(wanted, name))
  return [...lines, ...more.map((name) => `${placeOf(at, name)}: found ${shown(found[name])}, expected nothing`)]
}

/** The place of a member: `data.attributes.title`. */
export const placeOf = (at: string, name: string): string =>
  /^\w+$/.test(name) ? `${at}${at && '.'}${name}` : `${at}[${JSON.stringify(name)}]`

const longest = 300

/** A value in one line. */
export function shown(value: unknown): string {
  const text = textOf(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
