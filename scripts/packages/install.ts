import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Installs the packages of a folder that has a package.json of its own (`docs`), unless those of its lock file are there already. Of
 * several processes at once, one installs them, and the others wait for it.
 *
 * @throws {Error} where npm cannot install them.
 */
export function installPackages(folder: string): void {
  if (areInstalled(folder)) return
  const unlock = lock(folder)
  try {
    if (!areInstalled(folder)) install(folder)
  } finally {
    unlock()
  }
}

const lockFileOf = (folder: string): string => readFileSync(path.join(root, folder, 'package-lock.json'), 'utf8')
const noteOf = (folder: string): string => path.join(root, folder, 'node_modules/.installed.json')

const areInstalled = (folder: string): boolean =>
  existsSync(noteOf(folder)) && readFileSync(noteOf(folder), 'utf8') === lockFileOf(folder)

function install(folder: string): void {
  console.error(`The packages of ${folder}/ are installed, once.`)
  const cwd = path.join(root, folder)
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd, stdio: ['ignore', 2, 2] })
  if (status !== 0)
    throw new Error(`${folder}/package.json: its packages cannot be installed. Try npm ci in that folder.`)
  writeFileSync(noteOf(folder), lockFileOf(folder))
}

const patience = 20 * 60_000

/** The lock of a SQLite file, which the system takes back from a process that is killed. */
function lock(folder: string): () => void {
  const cache = path.join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const file = new Sqlite(path.join(cache, `install-${folder.replaceAll('/', '-')}.lock`), { timeout: patience })
  file.exec('BEGIN EXCLUSIVE')
  return () => void file.close()
}
