import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownPackages } from '../../scripts/packages/link.ts'
import { cloneProject, userEnv } from '../support/clone.ts'

// A repository of its own, with the files as they are now: what is tagged here is tagged nowhere else.
let project: string
const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' }
const env = userEnv({
  ...author,
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
})
const git = (...args: string[]): string => execFileSync('git', args, { cwd: project, env, encoding: 'utf8' })
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8')

const folders = readdirSync(path.resolve(import.meta.dirname, '../../packages'))
const manifestFiles = ['package.json', ...folders.map((folder) => `packages/${folder}/package.json`)]
const names = [...ownPackages().values()]

function release(...args: string[]) {
  const command = ['--import', 'tsx', 'scripts/release.ts', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: project, env, encoding: 'utf8' })
  return { status, stdout, stderr: stderr.trim() }
}

beforeAll(() => {
  project = cloneProject()
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'All')
})
afterAll(() => rmSync(project, { recursive: true }))

test('a release is rehearsed in a clone: pushed to a folder, installed from its tarballs; nothing of it stays', () => {
  const { status, stdout, stderr } = release('99.0.0', '--rehearse')
  expect(status, stderr).toBe(0)
  expect(stdout).toContain('\nRehearsed: v99.0.0 was pushed to a folder')
  expect([git('status', '--porcelain'), git('tag'), git('rev-list', '--count', 'HEAD')]).toEqual(['', '', '1\n'])
})

test.each([
  ['', 'Say a version of three numbers, such as 0.2.0, not "".'],
  ['1.0', 'Say a version of three numbers, such as 0.2.0, not "1.0".'],
  ['v1.0.0', 'Say a version of three numbers, such as 0.2.0, not "v1.0.0".'],
  ['0.0.1', expect.stringMatching(/^package\.json has [\d.]+\. Say a version that is not below it\.$/)],
])('%j is refused', (version, stderr) => {
  expect(release(version)).toEqual({ status: 1, stdout: '', stderr })
})

test('a tree with changes is refused', () => {
  appendFileSync(path.join(project, 'README.md'), 'more\n')
  expect(release('99.0.0').stderr).toBe('The tree has changes. Commit or stash them.')
  git('checkout', '--quiet', '--', '.')
})

test('where a step fails, the files are as they were and nothing is committed', () => {
  const commit = git('rev-parse', 'HEAD')
  const manifest = read('package.json')
  writeFileSync(path.join(project, 'package.json'), manifest.replace(/"build": ".*"/, '"build": "exit 3"'))
  git('commit', '--quiet', '--all', '--message', 'Break the build')
  expect(release('99.0.0', '--without-check').status).toBe(1)
  expect([git('status', '--porcelain'), git('tag'), git('log', '-1', '--format=%s')]).toEqual([
    '',
    '',
    'Break the build\n',
  ])
  git('reset', '--quiet', '--hard', commit.trim())
})

test('a release writes the version, the heading, a commit and a tag, and says how to publish it', () => {
  const before = read('CHANGELOG.md')
  const { status, stdout, stderr } = release('99.0.0', '--without-check')
  expect(status, stderr).toBe(0)
  const published = [...stdout.matchAll(/^npm publish \.\/(.+)-99\.0\.0\.tgz --provenance --access public$/gm)].map(
    ([, name]) => name,
  )
  expect(published.toSorted()).toEqual(names.map((name) => name.replace('@', '').replace('/', '-')).toSorted())
  expect(published.indexOf('prismapi')).toBeGreaterThan(published.indexOf('prismapi-core'))
  expect(published.indexOf('create-prismapi')).toBeGreaterThan(published.indexOf('prismapi-cli'))
  const lock = JSON.parse(read('package-lock.json'))
  const manifests = manifestFiles.map((file) => JSON.parse(read(file)))
  expect(
    [...manifests, lock, ...manifestFiles.map((file) => lock.packages[path.dirname(file)] ?? lock.packages[''])].map(
      ({ version }) => version,
    ),
  ).toEqual(Array(2 * manifestFiles.length + 1).fill('99.0.0'))
  const others = manifests.flatMap(({ dependencies, devDependencies, peerDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies, ...peerDependencies }),
  )
  expect(others.filter(([name, range]) => names.includes(name) && range !== '99.0.0')).toEqual([])
  expect(read('CHANGELOG.md').replace(/\n## 99\.0\.0 - \d{4}-\d\d-\d\d\n/, '')).toBe(before)
  expect(git('log', '-1', '--format=%s').trim()).toBe('Release 99.0.0')
  expect(git('show', '--name-only', '--format=').split('\n').filter(Boolean)).toEqual([
    'CHANGELOG.md',
    'package-lock.json',
    'package.json',
    ...manifestFiles.slice(1),
  ])
  expect(git('describe').trim()).toBe('v99.0.0')
  expect(git('status', '--porcelain')).toBe('')
  const files = execFileSync('tar', ['-tzf', 'prismapi-99.0.0.tgz'], { cwd: project, encoding: 'utf8' }).split('\n')
  expect(files).toEqual(expect.arrayContaining(['package/sbom.cdx.json', 'package/dist/index.js']))
  expect(release('99.0.0').stderr).toBe('v99.0.0 is tagged: what is released stays as it is. Say a later version.')
  expect(release('99.0.1').stderr).toBe('CHANGELOG.md: nothing is under "## Unreleased". Write what changes for users.')
})
