// Writes sbom.cdx.json, before `npm pack` and `npm publish`: a CycloneDX list of the packages that come with this one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

interface LockEntry {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly peer?: boolean
}

const root = resolve(import.meta.dirname, '..')
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))

/** What package.json, or its entry in the lock file, says to who installs the package: an application brings its own peers. */
function asInstalled<Manifest extends object>(manifest: Manifest): Manifest {
  return { ...manifest, devDependencies: {}, peerDependencies: {}, peerDependenciesMeta: {}, scripts: {} }
}

// `npm sbom --omit dev` of npm 11 also omits what both a dependency and a development one need, such as koa. So npm is asked in a
// folder that knows nothing of development. The folder's name is the one that npm puts into the list.
const temporary = mkdtempSync(join(tmpdir(), 'prismapi-sbom-'))
try {
  const manifest = asInstalled(read('package.json'))
  const { packages, ...lock } = read('package-lock.json') as { packages: Record<string, LockEntry> }
  const installed = Object.entries(packages).filter(([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer)
  const entries = { ...Object.fromEntries(installed), '': asInstalled(packages[''] ?? {}) }
  const folder = join(temporary, manifest.name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: entries }))
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library']
  const bill = JSON.parse(
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  // Two packings of one commit are the same, byte by byte.
  delete bill.serialNumber
  delete bill.metadata.timestamp
  writeFileSync(join(root, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
} finally {
  rmSync(temporary, { recursive: true })
}
