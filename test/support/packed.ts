import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')
const built = ['src', 'assets', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
const carried = [...built, 'scripts/build.ts', 'scripts/sbom.ts']
const shown = ['README.md', 'CHANGELOG.md', 'LICENSE']

/** The package as `npm publish` would send it. */
export interface Packed {
  /** A copy of the package, built, without anything generated: it knows nothing of the example's models. */
  readonly folder: string
  /** What `npm pack` made of it. */
  readonly tarball: string
  readonly files: readonly string[]
  remove(): void
}

export async function packPackage(): Promise<Packed> {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-pack-'))
  for (const name of [...carried, ...shown]) cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 1e8 })
  await npm('run', '--silent', 'build')
  await npm('run', '--silent', 'prepack')
  const { stdout } = await npm('pack', '--json', '--ignore-scripts')
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  return {
    folder,
    tarball: path.join(folder, filename),
    files: files.map((file) => file.path),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
