import { AssertionError } from 'node:assert'

/** One test of the kit: hand it to the runner of your choice, as `test(check.name, check.run)`. */
export interface Check {
  /** A sentence that begins with the server: `v1 answers guest as JSON:API says: posts`. */
  readonly name: string
  /**
   * Asks, and looks at the answers.
   * @throws {AssertionError} with a line for each fault: what was asked, as whom, and what is wrong.
   */
  run(): Promise<void>
}

const shown = 12

/**
 * Nothing where there is no fault.
 * @throws {AssertionError} with the first of them, and how many more there are.
 */
export function expectNone(faults: readonly string[], what: string): void {
  if (faults.length === 0) return
  const more = faults.length > shown ? [`… and ${faults.length - shown} more`] : []
  const message = [`${what}:`, ...faults.slice(0, shown).map((fault) => `  ${fault}`), ...more].join('\n')
  throw new AssertionError({ message, stackStartFn: expectNone })
}
