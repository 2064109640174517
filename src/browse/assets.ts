import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CompiledServer } from '../server/compile.ts'
import { browsePath } from './browsed.ts'

export interface Asset {
  readonly type: string
  readonly text: string
  readonly hash: string
}

const types = {
  'browse.css': 'text/css; charset=utf-8',
  'browse.js': 'text/javascript; charset=utf-8',
  'stream.js': 'text/javascript; charset=utf-8',
} as const

export type AssetName = keyof typeof types

// The same files for every server, read when a browser first asks for a page.
const kept = new Map<AssetName, Asset>()

/** A file that the pages need; null where there is none of that name. */
export const assetOf = (name: string): Asset | null => (Object.hasOwn(types, name) ? read(name as AssetName) : null)

function read(name: AssetName): Asset {
  const known = kept.get(name)
  if (known) return known
  // As far from src/browse/ as from dist/browse/.
  const text = readFileSync(new URL(`../../assets/${name}`, import.meta.url), 'utf8')
  const asset = { type: types[name], text, hash: createHash('sha256').update(text).digest('base64url').slice(0, 12) }
  kept.set(name, asset)
  return asset
}

/** Its URL changes with what is in it, so that browsers may keep it. */
export const assetHref = ({ basePath }: Pick<CompiledServer, 'basePath'>, name: AssetName): string =>
  `${basePath}${browsePath}/assets/${name}?${read(name).hash}`
