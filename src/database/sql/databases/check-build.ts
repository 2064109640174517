import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export const refusal =
  'better-sqlite3 12, compiled with Node 24.19 or later, would abort this process. Use better-sqlite3 13 (npm pkg set dependencies.better-sqlite3=^13.2.0 overrides.better-sqlite3=^13.2.0 && npm install), or Node 22 or 26.'

/**
 * Refuses a better-sqlite3 that would abort the process: compiled with the headers of Node 24.19 or later of that line, version 12
 * does when one of its objects is collected (nodejs/node#65446).
 *
 * @throws {Error} with the cure.
 */
export function checkBuild(): void {
  if (aborts(process.versions.node, binary())) throw new Error(refusal)
}

/** Whether objects of this addon abort this version of Node, when they are collected. */
export const aborts = (node: string, addon: Buffer | null): boolean =>
  // Only 24 has the hook without the registry that it needs; the addon calls it since 24.19.
  node.startsWith('24.') && addon?.includes('RemoveEnvironmentCleanupHook') === true

/** Null where there is no file that npm compiled or downloaded: version 13 brings its own. */
function binary(): Buffer | null {
  try {
    return readFileSync(createRequire(import.meta.url).resolve('better-sqlite3/build/Release/better_sqlite3.node'))
  } catch {
    return null
  }
}
