import { UsageError } from '../command.ts'

/** What `--at-least` says; 0 where it is left out. */
export function leastPercent(values: Readonly<Record<string, unknown>>): number {
  const least = Number(values['at-least'] ?? 0)
  if (least >= 0 && least <= 100) return least
  throw new UsageError(`--at-least=${values['at-least']} is no percentage.`)
}
