import type { Terms } from './clauses/terms.ts'

/**
 * The shape of a condition as a text without values: two conditions with one text have one SQL, and differ in the values
 * of their slots only. Names and operators hold none of the marks between them.
 */
export const shape: Terms<string, string> = {
  all: (terms) => `&(${terms.join('')})`,
  any: (terms) => `|(${terms.join('')})`,
  not: (term) => `!${term}`,
  constant: (holds) => (holds ? '1' : '0'),
  isNull: (side, { name }) => `${side}${name} null;`,
  compare: (side, { name }, comparison) => `${side}${name} ${comparison};`,
  search: (side, { name }, search) => `${side}${name} ${search};`,
  isAmong: (side, { name }) => `${side}${name} in;`,
  joined: (side, { name }) => `${side}${name}.`,
  isPresent: (joined) => `${joined}?;`,
  exists: (side, { name }, where) => `${side}${name}{${where('') ?? ''}}`,
  count: (side, { name }, where) => `${side}${name}#{${where('') ?? ''}}`,
}
