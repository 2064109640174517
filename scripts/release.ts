// `npm run release -- 0.2.0`: the check, then the version of all packages, a commit, a tag and the tarballs. It publishes nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ownManifests, publishOrder, tarballOf, withVersion } from './release/packages.ts'
import { rehearse } from './release/rehearse.ts'

const root = resolve(import.meta.dirname, '..')
const places = ['package.json', 'package-lock.json', 'packages/*/package.json', 'CHANGELOG.md']

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

/** One version for all packages, which name each other by it. */
function writeVersion(version: string): void {
  const files = ['package.json', ...ownManifests(root).map(({ folder }) => join('packages', folder, 'package.json'))]
  for (const file of files) writeJson(file, withVersion(JSON.parse(read(file)), version))
  const lock = JSON.parse(read('package-lock.json'))
  for (const place of ['', ...files.slice(1).map(dirname)])
    lock.packages[place] = withVersion(lock.packages[place], version)
  writeJson('package-lock.json', { ...lock, version })
  const heading = `## Unreleased\n\n## ${version} - ${new Date().toISOString().slice(0, 10)}\n`
  writeFileSync(join(root, 'CHANGELOG.md'), read('CHANGELOG.md').replace('## Unreleased\n', heading))
}

const writeJson = (file: string, content: object): void =>
  writeFileSync(join(root, file), `${JSON.stringify(content, null, 2)}\n`)

function release(version: string, checks: boolean): void {
  checkRelease(version)
  if (checks) run('npm', 'run', 'check')
  try {
    writeVersion(version)
    run('npm', 'run', 'build')
    run('npm', 'pack', '--workspaces')
  } catch (error) {
    run('git', 'checkout', '--quiet', '--', ...places)
    throw error
  }
  run('git', 'commit', '--quiet', '--message', `Release ${version}`, '--', ...places)
  run('git', 'tag', '--annotate', `v${version}`, '--message', `prismapi ${version}`)
  const tarballs = publishOrder(root).map((name) => tarballOf(name, version))
  console.log(`v${version} is committed, tagged and packed, and nothing has left this folder. To publish it:

git push --atomic origin HEAD v${version}
${tarballs.map((tarball) => `npm publish ./${tarball} --provenance --access public`).join('\n')}`)
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
