import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { linkPackages } from '../../scripts/packages/link.ts'

/** What hangs ends before the test that waits for it, or it would outlive it. */
export const patience = 590_000

const root = path.resolve(import.meta.dirname, '../..')

/** A copy of the working tree as a fresh clone has it after `npm ci`: nothing built, nothing generated, no database. */
export function cloneProject(folder = mkdtempSync(path.join(tmpdir(), 'prismapi-clone-'))): string {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  for (const file of list.toString().split('\0').filter(Boolean)) {
    // Git still lists what was deleted since.
    if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(folder, file))
  }
  linkPackages(folder)
  return folder
}

export function writeBelow(folder: string, file: string, content: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), content)
}

/** The environment of a user: nothing of what vitest has set. */
export function userEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  const quiet = { CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', npm_config_update_notifier: 'false' }
  return { PATH, HOME, ...quiet, ...more }
}
