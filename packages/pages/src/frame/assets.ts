import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { memo } from '@prismapi/jsonapi/model/memo'
import { pagesOf, titleOf } from '../compile-pages.ts'
import { browsePath, docsPath } from '../data/page-request.ts'

export interface Asset {
  readonly type: string
  readonly text: string
  readonly hash: string
}

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const names = [
  ...(['browse.css', 'icons.css', 'record.css', 'browse.js', 'forms.js', 'stream.js'] as const),
  ...(['docs.css', 'docs.js'] as const),
] as const
type AssetName = (typeof names)[number]

// The same files for every server, read when a browser first asks for a page.
const kept = new Map<AssetName, Asset>()

/** A file that the pages of a server need; null where there is none of that name. */
export function assetOf(server: CompiledServer, name: string): Asset | null {
  if (name === iconName) return icon(server)
  if (name === ownStyleName) return ownStyle(server)
  const known = names.find((each) => each === name)
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
export const assetHref = (server: CompiledServer, name: AssetName): string => hrefIn(server, name, read(name))

/** A server that has a reference and no pages keeps the files beside that. */
const hrefIn = (server: CompiledServer, name: string, { hash }: Asset): string =>
  `${server.basePath}${pagesOf(server).isBrowsable && !name.startsWith('docs.') ? browsePath : docsPath}/assets/${name}?${hash}`

/** The name of the style sheet that the settings of a server make. */
const ownStyleName = 'own.css'

/** The colours of a server, as variables of the pages' style sheet; null where it has none of its own. */
const ownStyle = memo((server: CompiledServer): Asset | null => {
  const { colour } = pagesOf(server).look
  if (colour === undefined) return null
  const [light, dark] = [readable(colour, lightBack), readable(colour, darkBack)]
  // Readers who ask for more contrast get the colours that have it.
  const text = `@media not (prefers-contrast: more) {
  :root {
    --accent: light-dark(${light}, ${dark});
    --link: light-dark(${light}, ${dark});
  }
}
`
  return assetFrom('css', text)
})

export function ownStyleHref(server: CompiledServer): string | null {
  const style = ownStyle(server)
  return style && hrefIn(server, ownStyleName, style)
}

/** The name of the sign of a server, for the tab of a browser. */
const iconName = 'icon.svg'

/** The first letter of what the pages are called, in the colour of the server. */
const icon = memo((server: CompiledServer): Asset => {
  const { colour = '#3350c9' } = pagesOf(server).look
  const letter = /[\p{L}\p{N}]/u.exec(titleOf(server))?.[0].toUpperCase() ?? '·'
  const fill = luminance(channelsOf(colour)) > 0.4 ? '#111' : '#fff'
  return assetFrom(
    'svg',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colour}"/><text x="16" y="23" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="${fill}">${letter}</text></svg>`,
  )
})

export const iconHref = (server: CompiledServer): string =>
  pagesOf(server).look.logo ?? hrefIn(server, iconName, icon(server))

type Channels = readonly [number, number, number]

// The two backgrounds of tinted parts in assets/browse.css, on which links have the least contrast.
const lightBack: Channels = [0xe7, 0xec, 0xf2]
const darkBack: Channels = [0x2a, 0x32, 0x3d]
/** What WCAG asks of text. */
const leastContrast = 4.5

/** The nearest shade of a colour that is readable on a background: darker on a light one, lighter on a dark one. */
function readable(colour: string, back: Channels): string {
  const own = channelsOf(colour)
  const end = luminance(back) > 0.2 ? 0 : 255
  for (let step = 0; step <= 100; step++) {
    const shade = own.map((value) => Math.round(value + ((end - value) * step) / 100)) as unknown as Channels
    if (contrast(shade, back) >= leastContrast)
      return `#${shade.map((value) => value.toString(16).padStart(2, '0')).join('')}`
  }
  return end === 0 ? '#000000' : '#ffffff'
}

const channelsOf = (colour: string): Channels =>
  [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16)) as unknown as Channels

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(channels: Channels): number {
  const [red, green, blue] = channels.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: Channels, b: Channels): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
