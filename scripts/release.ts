// `npm run release -- 0.2.0`: the check, then the version in its places, a commit, a tag and the tarball. It publishes nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { rehearse } from './release/rehearse.ts'

const root = resolve(import.meta.dirname, '..')
const places = ['package.json', 'package-lock.json', 'CHANGELOG.md']

const run = (program: string, ...args: readonly string[]): void => {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
}
const ask = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim()
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** @throws {Error} where this version cannot be released from this tree. */
function checkRelease(version: string): void {
  const { version: current } = JSON.parse(read('package.json'))
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
    throw new Error(`Say a version of three numbers, such as 0.2.0, not "${version}".`)
  if (version.localeCompare(current, 'en', { numeric: true }) < 0)
    throw new Error(`package.json has ${current}. Say a version that is not below it.`)
  if (ask('git', 'tag', '--list', `v${version}`) !== '')
    throw new Error(`v${version} is tagged: what is released stays as it is. Say a later version.`)
  if (ask('git', 'status', '--porcelain') !== '') throw new Error('The tree has changes. Commit or stash them.')
  if (unreleased(read('CHANGELOG.md')) === '')
    throw new Error('CHANGELOG.md: nothing is under "## Unreleased". Write what changes for users.')
}

/** What the changelog says of the next version. */
function unreleased(changelog: string): string {
  const [, after = ''] = changelog.split('\n## Unreleased\n')
  return after.replace(/\n## [\s\S]*$/, '').trim()
}

function writeVersion(version: string): void {
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts')
  const heading = `## Unreleased\n\n## ${version} - ${new Date().toISOString().slice(0, 10)}\n`
  writeFileSync(join(root, 'CHANGELOG.md'), read('CHANGELOG.md').replace('## Unreleased\n', heading))
}

function release(version: string, checks: boolean): void {
  checkRelease(version)
  if (checks) run('npm', 'run', 'check')
  try {
    writeVersion(version)
    run('npm', 'run', 'build')
    run('npm', 'pack')
  } catch (error) {
    run('git', 'checkout', '--quiet', '--', ...places)
    throw error
  }
  run('git', 'commit', '--quiet', '--message', `Release ${version}`, '--', ...places)
  run('git', 'tag', '--annotate', `v${version}`, '--message', `prismapi ${version}`)
  console.log(`v${version} is committed, tagged and packed, and nothing has left this folder. To publish it:

git push --atomic origin HEAD v${version}
npm publish ./prismapi-${version}.tgz --provenance --access public`)
}

const options = { rehearse: { type: 'boolean' }, 'without-check': { type: 'boolean' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [version = ''] = positionals
try {
  if (values.rehearse) rehearse(root, version)
  else release(version, !values['without-check'])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
