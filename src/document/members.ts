/** A JSON object, as `JSON.parse` makes it. */
export type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of the object itself: what `Object.prototype` has is not in the document. */
export const own = (object: Members, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

/** The names that mean something: JSON:API 1.1 asks to ignore `@`-members. */
export const namesOf = (object: Members): string[] => Object.keys(object).filter((name) => !name.startsWith('@'))
