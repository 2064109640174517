import { isMatcher } from '../matcher.ts'
import { placeOf } from './differences.ts'

/**
 * What a test expects, as JSON carries it. Regular expressions and the matchers of test runners stay what they are.
 *
 * @throws {Error} which names a member that is undefined: a misspelt member would otherwise compare nothing.
 */
export function toWanted(value: unknown, at: string): unknown {
  if (value === undefined)
    throw new Error(
      `${at}: undefined is expected, with which nothing can be compared. Leave it out, or say what it is.`,
    )
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || isMatcher(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (hasJson(value)) return value.toJSON()
  if (Array.isArray(value)) return value.map((each, i) => toWanted(each, `${at}[${i}]`))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toWanted(each, placeOf(at, name))]))
}

const hasJson = (value: object): value is { toJSON(): unknown } => 'toJSON' in value
