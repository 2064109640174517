// What is left of a character of two code units.
const halfCharacter = /[\ud800-\udbff]$/

/** A text that is no longer than that, with a mark where it was cut. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(halfCharacter, '')}…` : text
