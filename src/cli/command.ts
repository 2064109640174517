import type { Terminal } from './terminal.ts'

/** What the user typed after the command's name. */
export interface Input {
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
  /** The application's root: where the command was started. */
  readonly root: string
}

/** An option, as `parseArgs` takes it, and what `--help` says of it. */
export interface Option {
  readonly type: 'boolean' | 'string'
  readonly about: string
}

/** One command of `prismapi`. */
export interface Command {
  readonly usage: string
  readonly summary: string
  readonly options: Readonly<Record<string, Option>>
  run(input: Input, terminal: Terminal): Promise<void>
}

/** The user asked for something that cannot be done: shown as one line, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The one name that a command is about. */
export function nameOf({ positionals }: Input, { usage }: Pick<Command, 'usage'>): string {
  const [name, ...rest] = positionals
  if (name === undefined || rest.length > 0) throw new UsageError(`Usage: prismapi ${usage}`)
  // It becomes a file's and a class's name.
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name))
    throw new UsageError(`"${name}" is no name: letters, digits and dashes only.`)
  return name
}
