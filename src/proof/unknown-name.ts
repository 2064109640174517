import { nearest } from '../model/nearest.ts'

/** What to say of a name that nothing has, with the one that was meant, or those that there are. */
export function unknownName(kind: string, name: string, known: readonly string[]): Error {
  const names = [...new Set(known)]
  const meant = nearest(name, names)
  return new Error(`There is no ${kind} "${name}". ${meant ? `Did you mean ${meant}?` : `Known: ${names.join(', ')}.`}`)
}
