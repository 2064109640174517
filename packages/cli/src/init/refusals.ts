import { UsageError } from '../command.ts'

/** Files or folders that stand where others are needed: said once, however many need the place. */
export class InTheWay extends UsageError {
  readonly paths: readonly string[]

  constructor(paths: readonly string[], message: string) {
    super(message)
    this.paths = paths
  }
}

/** What cannot be done, gathered: the user hears of all of it at once, not of one thing at a time. */
export class Refusals {
  readonly #messages: string[] = []
  readonly #paths = new Set<string>()

  /** Remembers why something is refused; any other error goes on. */
  note(error: unknown): null {
    if (!(error instanceof UsageError)) throw error
    const paths = error instanceof InTheWay ? error.paths : []
    const isSaid = paths.length > 0 && paths.every((path) => this.#paths.has(path))
    if (!isSaid) this.#messages.push(error.message)
    for (const path of paths) this.#paths.add(path)
    return null
  }

  /** What the work gives; null where it is refused. */
  try<T>(work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      return this.note(error)
    }
  }

  /** @throws {UsageError} where something was refused; several things are a list. */
  check(): void {
    const [first, ...others] = this.#messages
    if (first === undefined) return
    if (others.length === 0) throw new UsageError(first)
    const list = this.#messages.map((message) => `\n  - ${message}`)
    throw new UsageError(`${list.length} things are in the way, and nothing was written:${list.join('')}`)
  }
}
