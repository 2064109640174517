import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const folders = [
  '.',
  ...Object.keys(readJson('knip.json').workspaces).filter((name) => name !== '.' && !name.startsWith('packages/')),
]
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

interface Entry extends Partial<Record<(typeof kinds)[number], Record<string, string>>> {
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}
type Packages = Readonly<Record<string, Entry>>

function readJson(file: string) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
}

const packagesOf = (folder: string): Packages => readJson(`${folder}/package-lock.json`).packages

/** What is wrong with a lock file: each package comes from the registry of who installs it, and is what it was. */
function faults(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([place, entry]) => {
    // The packages of this repository, which are linked.
    const own = place === '' || /^packages\/[\w-]+$/.test(place)
    if (entry.link && /^packages\/[\w-]+$/.test(entry.resolved ?? '')) return []
    const from = kinds.flatMap((kind) => Object.entries(entry[kind] ?? {}))
    return [
      ...(own || entry.integrity?.startsWith('sha512-') ? [] : [`${place}: no sha512`]),
      ...(entry.resolved === undefined ? [] : [`${place}: comes from ${entry.resolved}`]),
      ...(entry.link ? [`${place}: is a link`] : []),
      // A range has no slash and no colon, but for another name: `npm:other@^1`.
      ...from.flatMap(([name, range]) =>
        /[/:]/.test(range.replace(/^npm:[@\w./-]+@/, '')) ? [`${place}: ${name} ${range}`] : [],
      ),
    ]
  })
}

describe('lock files', () => {
  test('are those of all folders that have packages', () => {
    expect(folders.toSorted()).toEqual(['.', 'docs', 'test/browser/scalar', 'test/clients', 'tools'])
  })

  test.each(folders)('%s: each package has its hash, and comes from no host, repository or folder', (folder) => {
    const packages = packagesOf(folder)
    expect(Object.keys(packages).length).toBeGreaterThan(10)
    expect(faults(packages)).toEqual([])
  })

  test.each(folders)('%s: is the one of its package.json, and stays without addresses', (folder) => {
    const manifest = readJson(`${folder}/package.json`)
    const own = packagesOf(folder)[''] ?? {}
    for (const kind of kinds) expect(own[kind], kind).toEqual(manifest[kind])
    expect(readFileSync(path.join(root, folder, '.npmrc'), 'utf8')).toContain('omit-lockfile-registry-resolved=true\n')
  })

  test('what runs a script while it is installed was looked at', () => {
    const scripted = Object.entries(packagesOf('.')).filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = scripted.map(([place]) => place.split('node_modules/').at(-1))
    expect(names.toSorted()).toEqual(Object.keys(readJson('package.json').allowScripts).toSorted())
  })

  test.each<[string, Entry]>([
    ['node_modules/a: no sha512', {}],
    ['node_modules/a: no sha512', { integrity: 'sha1-x' }],
    [
      'node_modules/a: comes from https://example.com/a.tgz',
      { integrity: 'sha512-x', resolved: 'https://example.com/a.tgz' },
    ],
    ['node_modules/a: comes from git+ssh://x', { integrity: 'sha512-x', resolved: 'git+ssh://x' }],
    ['node_modules/a: is a link', { integrity: 'sha512-x', link: true }],
    ['node_modules/a: b me/b', { integrity: 'sha512-x', dependencies: { b: 'me/b', c: '^1.0.0 || >=2' } }],
    ['node_modules/a: b file:../b', { integrity: 'sha512-x', devDependencies: { b: 'file:../b', c: 'npm:@d/e@^1' } }],
  ])('%s: would be found', (fault, entry) => {
    expect(faults({ 'node_modules/a': entry })).toEqual([fault])
  })
})
