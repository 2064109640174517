import { expect } from 'vitest'
import { fencesOf } from './fences.ts'

const told = fencesOf('docs/troubleshooting.md').map(({ code }) => code.trimEnd())

/** The page quotes the message, word for word. */
export function expectTold(message: string): void {
  expect(told, 'docs/troubleshooting.md').toContain(message)
}
