import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export const refusals = {
  compiled:
    'better-sqlite3 12, compiled with Node 24.19 or later, would abort this process. Use better-sqlite3 13 (npm pkg set dependencies.better-sqlite3=^13.2.0 overrides.better-sqlite3=^13.2.0 && npm install), or Node 22 or 26.',
  tooNew:
    'better-sqlite3 13 would abort this process: it needs Node 22 or later. Use a later Node, or better-sqlite3 12 (npm pkg set dependencies.better-sqlite3=^12.11.1 overrides.better-sqlite3=^12.11.1 && npm install).',
}

interface Found {
  /** The version of better-sqlite3. */
  readonly version: string
  /** Null where there is no file that npm compiled or downloaded: version 13 brings its own. */
  readonly addon: Buffer | null
}

/**
 * Refuses a better-sqlite3 that would abort the process. Version 12, compiled with the
 * headers of Node 24.19 or later of that line, does when one of its objects is
 * collected (nodejs/node#65446); version 13 does on Node 20, when a database is opened.
 *
 * @throws {Error} with the cure.
 */
export function checkBuild(): void {
  const refusal = refusalOf(process.versions.node, found())
  if (refusal) throw new Error(refusal)
}

/** Why this version of Node must not run this better-sqlite3; null where it may. */
export function refusalOf(node: string, { version, addon }: Found): string | null {
  const major = Number.parseInt(node, 10)
  if (major < 22 && Number.parseInt(version, 10) >= 13) return refusals.tooNew
  // Only 24 has the hook without the registry that it needs; the addon calls it since 24.19.
  return major === 24 && addon?.includes('RemoveEnvironmentCleanupHook') ? refusals.compiled : null
}

function found(): Found {
  // Not every version lets its `package.json` be resolved by name.
  const home = path.dirname(path.dirname(createRequire(import.meta.url).resolve('better-sqlite3')))
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
  return { version, addon: addonIn(home) }
}

function addonIn(home: string): Buffer | null {
  try {
    return readFileSync(path.join(home, 'build/Release/better_sqlite3.node'))
  } catch {
    return null
  }
}
