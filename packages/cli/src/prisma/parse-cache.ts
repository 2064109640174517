import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Parses the files, or returns the result of an earlier parse of the same text by the same version of Prisma: starting
 * its parser takes as long as loading half of the framework. The last result is kept beside Prisma's package.
 *
 * @param manifest the `package.json` of Prisma; null where it is not installed
 */
export function cachedParse<T>(manifest: string | null, files: object, parse: () => T): T {
  if (manifest === null) return parse()
  const folder = join(dirname(manifest), '../.cache/prismapi')
  const file = join(folder, 'schema.json')
  const key = createHash('sha256')
    .update(JSON.stringify([readFileSync(manifest, 'utf8'), files]))
    .digest('hex')
  const kept = read<T>(file)
  if (kept?.key === key) return kept.parsed
  const parsed = parse()
  write({ folder, file }, JSON.stringify({ key, parsed } satisfies Kept<T>))
  return parsed
}

interface Kept<T> {
  readonly key: string
  readonly parsed: T
}

function read<T>(file: string): Kept<T> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept<T>
  } catch {
    // There is none yet.
    return null
  }
}

function write({ folder, file }: { readonly folder: string; readonly file: string }, text: string): void {
  const whole = `${file}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(whole, text)
    renameSync(whole, file)
  } catch {
    // Packages that cannot be written to: the next command parses again.
  }
}
