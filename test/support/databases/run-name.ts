import { randomUUID } from 'node:crypto'

const prefix = 'prismapi_test_'
const hours = 2

/** The name of a run's template database, which says when it was made. */
export const newRun = (): string => `${prefix}${Date.now()}_${randomUUID().slice(0, 4)}`

/** Is it a database of a run that must have ended long ago. */
export function isLeftOver(name: string): boolean {
  const [, made] = new RegExp(`^${prefix}(\\d{13})_`).exec(name) ?? []
  return made !== undefined && Date.now() - Number(made) > hours * 3_600_000
}
