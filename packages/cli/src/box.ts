/** Lines in a box, which is as wide as the longest of them. */
export function box(lines: readonly string[]): string {
  const width = Math.max(...lines.map((line) => line.length))
  const edge = '─'.repeat(width + 2)
  return [`╭${edge}╮`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `╰${edge}╯`].join('\n')
}

/** What to type next, one command a line, behind one word. */
export const nextLines = ([first = '', ...others]: readonly string[]): readonly string[] => [
  `Next: ${first}`,
  ...others.map((line) => `      ${line}`),
]
