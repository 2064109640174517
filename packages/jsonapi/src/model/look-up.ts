import { readFileSync } from 'node:fs'

const manifest = new URL('../../package.json', import.meta.url)

/**
 * The line that leads somebody at a terminal from a message to the page with its cause and cure. Null where a program
 * reads along.
 */
export function lookUpLine({ isTTY }: { readonly isTTY?: boolean }, place = 'errors#messages'): string | null {
  if (isTTY !== true) return null
  const { homepage }: { readonly homepage?: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  const [page, anchor] = place.split('#')
  return `Look it up: ${homepage === undefined ? `docs/${page}.md` : `${homepage}/${page}.html`}#${anchor}`
}
