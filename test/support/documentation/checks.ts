import { type Fence, fencesOf } from './fences.ts'
import { pages } from './pages.ts'

/** Pages with a test of their own, which follows their commands, and compares what they show. */
const testsOfPages: Readonly<Record<string, string>> = {
  'README.md': 'test/api/readme.test.ts',
  'docs/start.md': 'test/process/install.test.ts',
  'docs/getting-started.md': 'test/documentation/getting-started.test.ts',
  'docs/tutorial.md': 'test/process/tutorial.test.ts',
  'docs/generators.md': 'test/process/cli.test.ts',
  'docs/doctor.md': 'test/process/cli.test.ts',
  'docs/explain.md': 'test/process/explain-cli.test.ts',
  'docs/cookbook/money.md': 'test/postgres/cookbook/money.test.ts',
}

/** The test that a fence names (`json test=test/spec/can/can.test.ts`), or its page has; each recipe has one of its name. */
export function testOf({ page, says }: Fence): string | null {
  const [, recipe] = /^docs\/(cookbook\/.+)\.md$/.exec(page) ?? []
  return says.test ?? testsOfPages[page] ?? (recipe === undefined ? null : `test/documentation/${recipe}.test.ts`)
}

/**
 * - `quoted`: it stands in the file that it names
 * - `compiled`: tsc compiles it
 * - `validated`: Prisma takes it for a schema
 * - `tested`: a test of its own looks at it
 * - `asked`: it is a request to the example, or what that answers
 * - `named`: its commands are there
 * - `executed`: PostgreSQL carries it out
 * - `drawn`: it is a picture, and names nothing
 * - `counted`: it is CSV, and each line has a value for each column
 */
export type Check =
  | 'drawn'
  | 'counted'
  | 'quoted'
  | 'compiled'
  | 'validated'
  | 'tested'
  | 'asked'
  | 'named'
  | 'executed'

/** How a fence is checked; null where nobody looks at it. */
export function checkOf(fence: Fence): Check | null {
  const { language, says, code } = fence
  const isFile = 'write' in says || 'shows' in says || 'edit' in says
  if ('file' in says) return 'quoted'
  if (language === 'ts' && !isFile) return 'compiled'
  if (language === 'prisma' && !isFile) return 'validated'
  if (testOf(fence) !== null) return 'tested'
  if (language === 'http' || language === 'json') return 'asked'
  if (language === 'sh') return /\bcurl\b|^npm start$/m.test(code) ? 'asked' : 'named'
  if (language === 'sql') return 'executed'
  if (language === 'csv') return 'counted'
  if (language === 'mermaid' || (language === 'text' && /[┬┴├┤]/.test(code))) return 'drawn'
  return null
}

export const fences: readonly Fence[] = pages.flatMap(fencesOf)

/** The fences of all pages that are checked in one way. */
export const fencesThatAre = (check: Check): readonly Fence[] => fences.filter((fence) => checkOf(fence) === check)
