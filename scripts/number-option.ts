/** What numbers an option takes, and which one it has where nobody names one. */
interface Numbers {
  readonly otherwise?: number
  /** The least; by default 1. */
  readonly from?: number
  readonly to?: number
  /** Fractions are taken, too. */
  readonly isFraction?: boolean
}

/**
 * The number that a script was told: `numberOption('--seconds', values.seconds, { otherwise: 60 })`. Another word ends the process with
 * one sentence that names the option.
 */
export function numberOption(...asked: Parameters<typeof parseNumber>): number {
  try {
    return parseNumber(...asked)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

/**
 * The number that an option or a variable says.
 *
 * @throws {Error} for what is none of these numbers, in one sentence that names the option.
 */
export function parseNumber(option: string, text: string | undefined, numbers: Numbers = {}): number {
  const { otherwise, from = 1, to = Number.MAX_SAFE_INTEGER, isFraction = false } = numbers
  if (text === undefined && otherwise !== undefined) return otherwise
  const number = Number(text)
  const isWritten = (isFraction ? /^\d+(\.\d+)?$/ : /^\d+$/).test(text ?? '')
  if (isWritten && number >= from && number <= to) return number
  const range = numbers.to === undefined ? `from ${from} on` : `from ${from} to ${to}`
  throw new Error(`${option} must be a ${isFraction ? '' : 'whole '}number ${range}, not "${text ?? ''}".`)
}
