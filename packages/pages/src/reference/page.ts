import { readFile } from 'node:fs/promises'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { DocsViewer } from '@prismapi/core/server/server'
import { hasManyRelations } from '@prismapi/openapi/document'
import { openApiPath } from '@prismapi/openapi/server-paths'
import type { Docs } from '../compile-pages.ts'
import { docsPath } from '../data/page-request.ts'
import { type Asset, assetFrom, assetHref, assetOf } from '../frame/assets.ts'
import type { Page } from '../frame/layout.ts'
import { type Html, html } from '../html/html.ts'
import { frame as frameWords, reference as words } from '../texts/reading.ts'

/** How a package shows an OpenAPI document. */
interface Viewer {
  /** What the pages call its script. */
  readonly scriptName: string
  /** Where it shows the document of that URL, which `assets/docs.js` reads and gives to it. */
  place(url: string): Html
}

/** @see https://github.com/Authress-Engineering/openapi-explorer */
const explorer: Viewer = {
  scriptName: 'openapi-explorer.js',
  place: (url) =>
    html`<openapi-explorer hide-server-selection schema-expand-level="2" data-document="${url}"></openapi-explorer>`,
}

/** Whatever would ask another host, or lead the document there, is off. */
const settings = {
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** @see https://github.com/scalar/scalar */
const scalar: Viewer = {
  scriptName: 'scalar.js',
  place: (url) => html`<div data-document="${url}" data-settings="${JSON.stringify(settings)}"></div>`,
}

const viewers: Readonly<Record<DocsViewer, Viewer>> = { 'openapi-explorer': explorer, scalar }

/** A file that a reference needs; null where there is none of that name. */
export const docsAsset = (server: CompiledServer, docs: Docs, name: string): Asset | null | Promise<Asset> =>
  name === viewers[docs.viewer].scriptName ? readScript(docs) : assetOf(server, name)

// One for each package: all servers that show their reference by it have the same.
const kept = new Map<string, Promise<Asset>>()

/** The script of the package, read when a browser first asks for a reference. */
function readScript({ script }: Docs): Promise<Asset> {
  const asset = kept.get(script) ?? readFile(script, 'utf8').then((text) => assetFrom('js', text))
  kept.set(script, asset)
  return asset
}

/** Is the reference of a server too large to be shown at once. */
export const isShownByType = ({ schemas }: CompiledServer): boolean => hasManyRelations([...schemas.byType.values()])

interface ShownTypes {
  /** The types that its reader asks for; null for what is shown first. */
  readonly named: ReadonlySet<string> | null
  /** The types to choose from, which are shown one at a time; null where all are shown at once. */
  readonly menu: readonly string[] | null
}

/**
 * The reference of a server: its OpenAPI document, to read and to try. A server with many types shows one at a time, by
 * default the first.
 */
export async function docsPage(
  frame: Omit<Page, 'title' | 'content'>,
  docs: Docs,
  { named, menu }: ShownTypes,
): Promise<Page> {
  const { server } = frame
  const { basePath } = server
  const shown = named ? [...named] : (menu?.slice(0, 1) ?? [])
  const query = shown.length > 0 ? `?types=${shown.join(',')}` : ''
  const { scriptName, place } = viewers[docs.viewer]
  const { hash } = await readScript(docs)
  return {
    ...frame,
    title: frameWords.reference,
    beside: menu && typeMenu(basePath, menu, shown),
    content: html`<link rel="stylesheet" href="${assetHref(server, 'docs.css')}">
<p role="status" class="soft">${words.reading}</p>
<div class="reference">${place(`${basePath}${docsPath}${openApiPath}${query}`)}</div>
<script type="module" src="${basePath}${docsPath}/assets/${scriptName}?${hash}"></script>
<script type="module" src="${assetHref(server, 'docs.js')}"></script>`,
  }
}

const typeMenu = (basePath: string, types: readonly string[], shown: readonly string[]): Html =>
  html`<form class="tools" action="${basePath}${docsPath}"><label>${words.type} <select name="types">${types.map(
    (type) => html`<option${shown.includes(type) && html` selected`}>${type}</option>`,
  )}</select></label> <button>${words.show}</button></form>`
