/** What the command line prints is as wide as a terminal is at least. */
export const columns = 80

/** Words in lines of so many columns; a longer word has a line of its own. */
export function wrapped(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
