import type { ParseArgsConfig } from 'node:util'
import type { Terminal } from './terminal.ts'

/** What the user typed after the command's name. */
export interface Input {
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
  /** The application's root: where the command was started. */
  readonly root: string
}

/** One command of `prismapi`. */
export interface Command {
  readonly usage: string
  readonly summary: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  run(input: Input, terminal: Terminal): Promise<void>
}

/** The user asked for something that cannot be done: shown as one line, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
