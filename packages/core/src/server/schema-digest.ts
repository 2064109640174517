import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A digest of a Prisma schema, of one file or of all files in a folder. Spaces and line ends do not change it.
 *
 * @returns null where there is no such file or folder
 */
export function schemaDigest(path: string): string | null {
  if (!existsSync(path)) return null
  const hash = createHash('sha256')
  for (const file of filesOf(path)) hash.update(`${readFileSync(file, 'utf8').trim().replaceAll(/\s+/g, ' ')}\n`)
  return hash.digest('base64url')
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.prisma'))
  return names.sort().map((name) => join(path, name))
}
