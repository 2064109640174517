import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Installs the packages of a folder that has a package.json of its own (`docs`), unless those of its lock file are there already.
 *
 * @throws {Error} where npm cannot install them.
 */
export function installPackages(folder: string): void {
  const home = path.join(root, folder)
  const lock = readFileSync(path.join(home, 'package-lock.json'), 'utf8')
  const installed = path.join(home, 'node_modules/.installed.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return
  console.error(`The packages of ${folder}/ are installed, once.`)
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: home, stdio: ['ignore', 2, 2] })
  if (status !== 0)
    throw new Error(`${folder}/package.json: its packages cannot be installed. Try npm ci in that folder.`)
  writeFileSync(installed, lock)
}
