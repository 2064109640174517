/** A long run: it ends with the exit code 0 where all is well. */
export interface Job {
  /** `npm run nightly -- name` runs it alone. */
  readonly name: string
  /** A sentence: what it shows, or what it would find. */
  readonly purpose: string
  /** With every seed in it, so that it repeats what the night has done. */
  readonly command: readonly [program: string, ...args: string[]]
  /** Its budget: after so many it is ended, and has failed. */
  readonly minutes: number
  /** Why it cannot run on this machine; null where it can. Asked when its turn comes. */
  readonly lacks?: () => string | null
}

/** What became of a job. */
export interface Outcome {
  readonly job: Job
  readonly result: 'passed' | 'failed' | 'over its budget' | 'left out'
  /** The exit code, the signal, or what the machine lacks. */
  readonly reason: string
  readonly seconds: number
  /** The file with all that it said, beside the report; null where it did not run. */
  readonly log: string | null
  readonly told: Told
}

/** What a job said of itself. */
export interface Told {
  /** Of all its runs of vitest together; null where there was none. */
  readonly tests: { readonly run: number; readonly failed: number } | null
  /** The lines that name a seed. */
  readonly seeds: readonly string[]
  /** The end of what it said, where its figures are. */
  readonly end: string
}

/** What somebody types to run it again. */
export const shownCommand = ({ command }: Job): string =>
  command
    .map((word) => (word === process.execPath ? 'node' : /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`))
    .join(' ')
