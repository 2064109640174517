import type { styleText } from 'node:util'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'

/** Where a command speaks. */
export interface Terminal {
  /** Prints a line. */
  say(line: string): void
  /** Prints a line among the errors. */
  complain(line: string): void
  /** Coloured where the terminal takes it and the environment has no NO_COLOR. */
  paint(colour: Parameters<typeof styleText>[0], text: string): string
}

/** What the user typed after the command's name. */
export interface Input {
  /** The words that are no options. */
  readonly positionals: readonly string[]
  /** The options, by their names. */
  readonly values: Readonly<Record<string, unknown>>
  /** The application's root: where the command was started. */
  readonly root: string
}

/** An option, as `parseArgs` takes it, and what `--help` says of it. */
export interface Option {
  /** A flag, or an option with a value. */
  readonly type: 'boolean' | 'string'
  /** One letter that means the same: `v` for `-v`. */
  readonly short?: string
  /** A sentence for `--help`. */
  readonly about: string
}

/**
 * One command of `prismapi`.
 *
 * @example
 * const hello: Command = {
 *   usage: 'hello [<name>]',
 *   summary: 'Greets.',
 *   options: {},
 *   run: ({ positionals: [name = 'world'] }, { say }) => say(`Hello ${name}.`),
 * }
 */
export interface Command {
  /** Begins with the name of the command: `hello [<name>] [--loud]`. */
  readonly usage: string
  /** A sentence for `prismapi --help`. */
  readonly summary: string
  /** What `prismapi <command> --help` says beside it. */
  readonly details?: string
  /** A command that one can run as it stands, for `--help`: `hello Ada`. */
  readonly example?: string
  /** By their names, without dashes. */
  readonly options: Readonly<Record<string, Option>>
  /**
   * Does the work.
   *
   * @throws {UsageError} for what cannot be done: the user gets one line, and the status is 1.
   */
  run(input: Input, terminal: Terminal): Awaitable<void>
}

/** Commands by their names, read when they are asked for. */
export type Commands = Readonly<Record<string, () => Awaitable<Command>>>

/**
 * The user asked for something that cannot be done: shown as one line, without a stack.
 *
 * @example
 * const failure = new UsageError('Name a release: prismapi release <name>.')
 */
export class UsageError extends Error {
  /** As of every error. */
  override readonly name = 'UsageError'
}
