// `npm run test:slowest`: runs the tests of `npm test`, and writes which files took longest into docs/testing-the-project.md.
// With the name of a report (`TEST_REPORT=report.json npm test`) it runs nothing. Read the seconds as shares: they are of one run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly unknown[]
  }[]
}

const root = path.resolve(import.meta.dirname, '../..')
const page = path.join(root, 'docs/testing-the-project.md')
const listed = 10

function readReport(): Report {
  const [given] = process.argv.slice(2)
  if (given !== undefined) return JSON.parse(readFileSync(given, 'utf8'))
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-slowest-'))
  const file = path.join(folder, 'report.json')
  try {
    const { status } = spawnSync('npm', ['test'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TEST_REPORT: file },
    })
    if (status !== 0) throw new Error('Tests have failed: the times of such a run say nothing.')
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The slowest files as a table, with the share that each has of the time of all. */
function tableOf({ testResults }: Report): string {
  const files = testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    name: path.relative(root, name).replaceAll(path.sep, '/'),
    seconds: (endTime - startTime) / 1000,
    tests: assertionResults.length,
  }))
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0)
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, listed)
  const rows = slowest.map(
    ({ name, tests, seconds }) =>
      `| \`${name}\` | ${tests} | ${seconds.toFixed(1)} s | ${((100 * seconds) / all).toFixed(1)} % |`,
  )
  const caption = `${files.length} files take ${Math.round(all)} s together; of one run, on ${availableParallelism()} cores.`
  return [caption, '', '| file | tests | time | of all |', '|---|---|---|---|', ...rows].join('\n')
}

const text = readFileSync(page, 'utf8')
const place = /(<!-- slowest: begin -->\n)[\s\S]*?(<!-- slowest: end -->)/
if (!place.test(text))
  throw new Error(`${page}: no place for the table. Put the comments "slowest: begin" and "slowest: end" there.`)
writeFileSync(page, text.replace(place, `$1\n${tableOf(readReport())}\n\n$2`))
