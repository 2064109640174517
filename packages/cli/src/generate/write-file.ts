import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Input } from '../command.ts'
import type { Terminal } from '../terminal.ts'

/** The options of every command that writes files. */
export const writeOptions = {
  force: { type: 'boolean', about: 'Replaces a file that exists; without it, it is kept.' },
  'dry-run': { type: 'boolean', about: 'Shows the file and writes nothing.' },
} as const

/** Writes a generated file below the root and says so; a file that exists is kept unless `--force`. */
export function writeFile({ root, values }: Input, path: string, content: string, { say, paint }: Terminal): void {
  const file = join(root, path)
  const exists = existsSync(file)
  const isKept = exists && values.force !== true
  const verb = isKept ? 'kept' : exists ? 'replaced' : 'created'
  const note = isKept ? ' (it exists; --force replaces it)' : ''
  if (values['dry-run'] === true) {
    say(`${paint('cyan', `would be ${verb}`)} ${path}${note}\n\n${content}`)
    return
  }
  if (!isKept) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  say(`${paint(isKept ? 'yellow' : 'green', verb)} ${path}${note}`)
}
