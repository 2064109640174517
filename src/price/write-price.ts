import { isObject } from '../document/members.ts'

/** To write a resource takes as long as to look at so many rows, with its rules, hooks and the document that is answered. */
const pointsOfWrite = 20
/** An identifier is looked up, and its link is written. */
const pointsOfIdentifier = 2

/** The price of a write: of each resource that a document has, and of each identifier. What is answered has its own price. */
export const priceOfWrite = (body: unknown, operations: number): number =>
  pointsOfWrite * Math.max(1, operations) + pointsOfIdentifier * identifiersIn(body)

/** What names a type has been sent to be a resource, or to be found. */
function identifiersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + identifiersIn(each), 0)
  if (!isObject(value)) return 0
  const own = typeof value.type === 'string' ? 1 : 0
  return Object.values(value).reduce<number>((sum, each) => sum + identifiersIn(each), own)
}
