import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Input } from './command.ts'
import type { Terminal } from './terminal.ts'

/** The options of every command that writes files. */
export const writeOptions = { force: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const

/** Writes a generated file below the root and says so; a file that exists is kept unless `--force`. */
export function writeFile({ root, values }: Input, path: string, content: string, { say, paint }: Terminal): void {
  const file = join(root, path)
  const exists = existsSync(file)
  const verb = exists ? 'replaced' : 'created'
  if (exists && values.force !== true) {
    say(`${paint('yellow', 'kept')} ${path} (it exists; --force replaces it)`)
  } else if (values['dry-run'] === true) {
    say(`${paint('cyan', `would be ${verb}`)} ${path}\n\n${content}`)
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    say(`${paint('green', verb)} ${path}`)
  }
}
