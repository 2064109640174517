import type { CompiledServer } from '@prismapi/core/server/compile'
import { memo } from '@prismapi/jsonapi/model/memo'
import { pagesOf } from '../compile-pages.ts'
import { browsePath } from '../data/page-request.ts'
import { type Asset, assetFrom } from './assets.ts'

/** The name of the style sheet that the settings of a server make. */
export const ownStyleName = 'own.css'

/** The colours of a server, as variables of the pages' style sheet; null where it has none of its own. */
export const ownStyle = memo((server: CompiledServer): Asset | null => {
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
  return style && `${server.basePath}${browsePath}/assets/${ownStyleName}?${style.hash}`
}

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
