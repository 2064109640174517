import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import type { Terminal } from '../terminal.ts'
import { InTheWay } from './refusals.ts'

/** What `prismapi init` does with one file. */
export interface PlannedFile {
  /** Below the root, with slashes. */
  readonly path: string
  readonly action: 'create' | 'change' | 'keep'
  /** The text that is there; empty for a file that is created. */
  readonly before: string
  readonly after: string
  /** What is left to its owner, as the rest of a sentence that begins with the path. */
  readonly remark: string | null
}

/** The text of a file below the root; null where there is none. */
export function textOf(root: string, path: string): string | null {
  const file = join(root, path)
  if (!existsSync(file)) return null
  if (statSync(file).isFile()) return readFileSync(file, 'utf8')
  throw new InTheWay([path], `${path} is a folder, and a file of that name is needed. Rename it.`)
}

/** A file of our own: one that is there already is kept, whichever program wrote it, though it may lack something. */
export function planCreate(root: string, path: string, after: string): PlannedFile {
  const before = textOf(root, path)
  if (before === null) return creation(root, path, after)
  const missing = missingOf(path, { before, after })
  const remark = missing.length === 0 ? null : `lacks: ${missing.join(', ')}`
  return { path, action: 'keep', before, after: before, remark }
}

/** A file of the application's, to which something is added. */
export function planChange(root: string, path: string, after: string): PlannedFile {
  const before = textOf(root, path)
  if (before === null) return creation(root, path, after)
  return { path, action: before === after ? 'keep' : 'change', before, after, remark: null }
}

function creation(root: string, path: string, after: string): PlannedFile {
  const folders = path.split('/').map((_name, i, names) => names.slice(0, i).join('/'))
  const file = folders.find((folder) => statSync(join(root, folder), { throwIfNoEntry: false })?.isFile())
  if (file === undefined) return { path, action: 'create', before: '', after, remark: null }
  throw new InTheWay([file], `${file} is a file, and ${path} belongs into a folder of that name. Rename it.`)
}

export function carryOut(root: string, { path, action, after }: PlannedFile): void {
  if (action === 'keep') return
  mkdirSync(dirname(join(root, path)), { recursive: true })
  // It has the secrets: other users of the machine have no business there.
  const mode = path === '.env' ? 0o600 : 0o666
  writeFileSync(join(root, path), after, { mode })
}

/** A change as `git apply` and `patch -p1` take it. */
function patchOf({ path, action, before, after }: PlannedFile): string {
  const from = action === 'create' ? '/dev/null' : `a/${path}`
  return formatPatch(structuredPatch(from, `b/${path}`, before, after), FILE_HEADERS_ONLY)
}

/** The patch for people: what is added is green, what goes is red. */
export function paintedPatch(file: PlannedFile, { paint }: Pick<Terminal, 'paint'>): string {
  const lines = patchOf(file).trimEnd().split('\n')
  return lines
    .map((line) => {
      if (/^(---|\+\+\+) /.test(line)) return paint('bold', line)
      if (line.startsWith('@@')) return paint('cyan', line)
      if (line.startsWith('+')) return paint('green', line)
      return line.startsWith('-') ? paint('red', line) : line
    })
    .join('\n')
}

/** Files that are lists, and what two spellings of one entry have in common. */
const entryOf: Readonly<Record<string, (line: string) => string>> = {
  '.env': (line) => line.replace(/^export\s+/, '').replace(/\s*=.*$/, ''),
  '.gitignore': (line) => line.replaceAll(/^\/|\/$/g, ''),
}

interface Texts {
  readonly before: string
  readonly after: string
}

/** The lines of `after` that a list lacks, and of `.env` their names, because the rest may be secret. */
function missingOf(path: string, { before, after }: Texts): readonly string[] {
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
