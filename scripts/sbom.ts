import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

interface Entry {
  readonly name?: string
  readonly version?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

/** What package.json, or its entry in the lock file, says to who installs the package: an application brings its own peers. */
function asInstalled<Manifest extends object>(manifest: Manifest): Manifest {
  return { ...manifest, devDependencies: {}, peerDependencies: {}, peerDependenciesMeta: {}, scripts: {} }
}

/** The entries of the lock file that a package's dependencies lead to, with the packages of this repository as installed ones. */
function broughtAlong(packages: Readonly<Record<string, Entry>>, manifest: Entry): Record<string, Entry> {
  const found: Record<string, Entry> = {}
  const visit = (place: string, { dependencies = {} }: Entry): void => {
    for (const name of Object.keys(dependencies)) {
      const at = placeOf(packages, place, name)
      if (found[at]) continue
      const { link, resolved = '' } = packages[at] as Entry
      found[at] = asInstalled((link ? packages[resolved] : packages[at]) as Entry)
      visit(at, found[at])
    }
  }
  visit('', manifest)
  return found
}

/** Where Node finds a package: in the folder of the one that asks, else in those around it. */
function placeOf(packages: Readonly<Record<string, Entry>>, from: string, name: string): string {
  for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const place = `${folder}${folder && '/'}node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') throw new Error(`package-lock.json has no ${name}. Run npm install.`)
  }
}

/**
 * The CycloneDX list of the packages that come with one of this repository's, as text.
 *
 * `npm sbom --omit dev` of npm 11 also omits what both a dependency and a development one need, such as koa. So npm is asked in a
 * folder that knows nothing of development. The folder's name is the one that npm puts into the list.
 */
export function billOfMaterials(folder: string): string {
  const temporary = mkdtempSync(join(tmpdir(), 'prismapi-sbom-'))
  try {
    const manifest = asInstalled(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    const { packages, ...lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const cwd = join(temporary, manifest.name)
    mkdirSync(cwd, { recursive: true })
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest))
    const entries = { '': manifest, ...broughtAlong(packages, manifest) }
    writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify({ ...lock, packages: entries }))
    const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library']
    const bill = JSON.parse(execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }))
    // Two packings of one commit are the same, byte by byte.
    delete bill.serialNumber
    delete bill.metadata.timestamp
    return `${JSON.stringify(bill, null, 2)}\n`
  } finally {
    rmSync(temporary, { recursive: true })
  }
}
