/** Files that are lists, and what two spellings of one entry have in common. */
const entryOf: Readonly<Record<string, (line: string) => string>> = {
  '.env': (line) => line.replace(/^export\s+/, '').replace(/\s*=.*$/, ''),
  '.gitignore': (line) => line.replaceAll(/^\/|\/$/g, ''),
  '.npmrc': (line) => line.replace(/\s*=\s*/, '='),
}

interface Texts {
  readonly before: string
  readonly after: string
}

/** The lines of `after` that a list lacks, and of `.env` their names, because the rest may be secret. */
export function missingOf(path: string, { before, after }: Texts): readonly string[] {
  const toEntry = entryOf[path]
  if (toEntry === undefined) return []
  const present = new Set(linesOf(before).map(toEntry))
  const missing = linesOf(after).filter((line) => !present.has(toEntry(line)))
  return path === '.env' ? missing.map(toEntry) : missing
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
