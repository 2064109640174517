import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { differences, type Reports } from './compare.ts'
import { extractApi } from './extract.ts'

// What the package exports, as text that is committed: a change of the public API cannot go unnoticed.
// `npm run check:api` compares, `npm run api` writes; with `--json`, tests get it with all docstrings.

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'api')

function committed(): Reports {
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(folder).filter((name) => name.endsWith('.api.md'))
  return new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

const entries = extractApi(root)
const made: Reports = new Map(entries.map(({ name, report }) => [`${name}.api.md`, report]))

if (process.argv.includes('--json')) {
  process.stdout.write(JSON.stringify(entries))
} else if (process.argv.includes('--write')) {
  for (const name of committed().keys()) rmSync(path.join(folder, name))
  for (const [name, report] of made) writeFileSync(path.join(folder, name), report)
} else {
  const changes = differences(committed(), made)
  if (changes !== '') {
    console.error(
      `${changes}\nThe public API is not what api/ says. Where that is meant: npm run api, a line in CHANGELOG.md, and for what breaks applications a section in docs/upgrading.md.`,
    )
    process.exitCode = 1
  }
}
