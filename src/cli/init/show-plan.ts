import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import type { Terminal } from '../terminal.ts'
import type { PlannedFile } from './plan.ts'

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
