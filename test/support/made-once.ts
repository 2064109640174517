import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { templateKey } from '@prismapi/testing/internal/databases/template'

const root = path.resolve(import.meta.dirname, '../..')
const home = path.join(root, 'node_modules/.cache/prismapi-tests')
const week = 7 * 86_400_000
const longestMaking = 10 * 60_000

interface Making {
  /** The texts, and the files and folders of the repository, that decide what is made. */
  readonly of: { readonly texts?: readonly string[]; readonly files: readonly string[] }
  /** Makes it, in a new folder. */
  readonly make: (folder: string) => Promise<void>
}

/**
 * A folder that is made once for what it is made of, and stays until that changes: test files share it, and so do runs. A test
 * that writes into it copies it first.
 */
export async function madeOnce(name: string, { of: { texts = [], files }, make }: Making): Promise<string> {
  const sources = files.map((file) => path.join(root, file))
  const folder = path.join(home, `${name}-${templateKey(sources, [process.version, ...texts])}`)
  if (!existsSync(folder)) await makeAnew(folder, make)
  const now = new Date()
  utimesSync(folder, now, now)
  return folder
}

/** Only one process makes it, and the others wait. */
async function makeAnew(folder: string, make: Making['make']): Promise<void> {
  mkdirSync(home, { recursive: true })
  removeUnused()
  const lock = `${folder}.lock`
  while (!taken(lock)) {
    await setTimeout(200)
    if (existsSync(folder)) return
  }
  const draft = path.join(home, `draft-${randomUUID()}`)
  mkdirSync(draft)
  try {
    if (existsSync(folder)) return
    await make(draft)
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Takes a lock, unless another process has it; one that has ended under it has lost it. */
function taken(lock: string): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (since < Date.now() - longestMaking) rmSync(lock, { recursive: true, force: true })
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** What was made of files that have changed since. */
function removeUnused(): void {
  for (const name of readdirSync(home)) {
    const folder = path.join(home, name)
    const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (changed < Date.now() - week) rmSync(folder, { recursive: true, force: true })
  }
}
