/** A folder of `src/`, and the tests that have to notice each change of it. */
export interface Room {
  readonly name: string
  readonly tests: readonly string[]
}

export const rooms: readonly Room[] = [
  { name: 'condition', tests: ['test/unit/condition/**/*.test.ts'] },
  { name: 'auth', tests: ['test/unit/auth/**/*.test.ts'] },
  // Random queries ask too much to be asked for each change.
  { name: 'query', tests: ['test/unit/query/!(arbitrary).test.ts'] },
  { name: 'write', tests: ['test/unit/write/**/*.test.ts'] },
  { name: 'validation', tests: ['test/unit/validation/**/*.test.ts'] },
]
