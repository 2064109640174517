import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { browsePath, docsPath } from '../data/page-request.ts'

export interface Asset {
  readonly type: string
  readonly text: string
  readonly hash: string
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

/** The files, by the path of the pages that need them. */
const names = { [browsePath]: ['browse.css', 'icons.css', 'browse.js', 'stream.js'], [docsPath]: ['docs.js'] } as const

type Folder = keyof typeof names
type AssetName = (typeof names)[Folder][number]

// The same files for every server, read when a browser first asks for a page.
const kept = new Map<AssetName, Asset>()

/** A file that the pages below a path need; null where there is none of that name. */
export function assetOf(folder: Folder, name: string): Asset | null {
  const known = names[folder].find((each) => each === name)
  return known ? read(known) : null
}

function read(name: AssetName): Asset {
  const known = kept.get(name)
  if (known) return known
  // As far from src/frame/ as from dist/frame/.
  const text = readFileSync(new URL(`../../assets/${name}`, import.meta.url), 'utf8')
  const asset = assetFrom(name.endsWith('.css') ? 'css' : 'js', text)
  kept.set(name, asset)
  return asset
}

export const assetFrom = (kind: keyof typeof types, text: string): Asset => ({
  type: types[kind],
  text,
  hash: createHash('sha256').update(text).digest('base64url').slice(0, 12),
})

/** Its URL changes with what is in it, so that browsers may keep it. */
export const assetHref = ({ basePath }: Pick<CompiledServer, 'basePath'>, name: AssetName): string =>
  `${basePath}${name === 'docs.js' ? docsPath : browsePath}/assets/${name}?${read(name).hash}`
