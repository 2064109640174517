import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Language } from '../../document/language.ts'
import { hasManyRelations } from '../../openapi/compact.ts'
import { openApiPath } from '../../openapi/server-paths.ts'
import type { CompiledServer } from '../../server/compile.ts'
import { docsPath } from '../data/page-request.ts'
import { type Html, html } from '../html/html.ts'
import { reference as words } from '../texts/frame.ts'
import { type Asset, assetFrom, assetHref, assetOf } from './assets.ts'
import { scriptTexts } from './layout.ts'

let found: Promise<Asset | null> | null = null

/** The package that shows an OpenAPI document, looked for once; null where the application has not installed it. */
export function docsViewer(): Promise<Asset | null> {
  found ??= findViewer(() => import.meta.resolve('openapi-explorer/dist/browser/openapi-explorer.min.js'))
  return found
}

export async function findViewer(resolve: () => string): Promise<Asset | null> {
  try {
    return assetFrom('js', await readFile(fileURLToPath(resolve()), 'utf8'))
  } catch {
    return null
  }
}

/** Where the reference of a server is; null where there is none. A type that is called so keeps its URL. */
export const docsHref = async ({ basePath, schemas }: CompiledServer): Promise<string | null> =>
  !schemas.byType.has('docs') && (await docsViewer()) ? basePath + docsPath : null

const assetName = 'openapi-explorer.js'

/** A file that the reference needs; null where there is none of that name. */
export const docsAsset = (viewer: Asset, name: string): Asset | null =>
  name === assetName ? viewer : assetOf(docsPath, name)

/** Is the reference of a server too large to be shown at once. */
export const isShownByType = ({ schemas }: CompiledServer): boolean => hasManyRelations([...schemas.byType.values()])

interface ShownTypes {
  /** The types that its reader asks for; null for what is shown first. */
  readonly named: ReadonlySet<string> | null
  /** The types to choose from, which are shown one at a time; null where all are shown at once. */
  readonly menu: readonly string[] | null
}

/**
 * The reference of a server: its OpenAPI document, to be read and tried. Of a server with many types one at a time, the first
 * unless others are asked for.
 */
export function docsPage(
  language: Language,
  server: CompiledServer,
  { hash }: Asset,
  { named, menu }: ShownTypes,
): string {
  const { basePath, openapi, name } = server
  const shown = named ? [...named] : (menu?.slice(0, 1) ?? [])
  const query = shown.length > 0 ? `?types=${shown.join(',')}` : ''
  return html`<!doctype html>
<html lang="${language.tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title(openapi.title ?? name)}</title><link rel="icon" href="data:,">
<script type="module" src="${basePath}${docsPath}/assets/${assetName}?${hash}"></script>
<script type="module" src="${assetHref(server, 'docs.js')}"></script></head>
<body${scriptTexts(language)}>${menu && typeMenu(basePath, menu, shown)}<p role="status">${words.reading}</p>
<openapi-explorer data-document="${basePath}${docsPath}${openApiPath}${query}"></openapi-explorer></body></html>`.textIn(
    language,
  )
}

const typeMenu = (basePath: string, types: readonly string[], shown: readonly string[]): Html =>
  html`<form action="${basePath}${docsPath}"><label>${words.type} <select name="types">${types.map(
    (type) => html`<option${shown.includes(type) && html` selected`}>${type}</option>`,
  )}</select></label> <button>${words.show}</button></form>`
