/** A folder of a package, and the tests that have to notice each change of it. */
export interface Room {
  readonly name: string
  readonly package: string
  readonly tests: readonly string[]
}

export const rooms: readonly Room[] = [
  { name: 'condition', package: 'jsonapi', tests: ['packages/jsonapi/test/condition/**/*.test.ts'] },
  { name: 'auth', package: 'core', tests: ['packages/core/test/auth/**/*.test.ts'] },
  // Random queries ask too much to be asked for each change.
  { name: 'query', package: 'jsonapi', tests: ['packages/jsonapi/test/query/!(arbitrary).test.ts'] },
  { name: 'write', package: 'core', tests: ['packages/core/test/write/**/*.test.ts'] },
  { name: 'validation', package: 'core', tests: ['packages/core/test/validation/**/*.test.ts'] },
]
