import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { DocsViewer, PageOptions } from '@prismapi/core/server/server'
import type { CompiledFeatures, ServerFeature } from '@prismapi/core/server/server-feature'
import { FeatureKey } from '@prismapi/jsonapi/request/features'
import { openApiOptionsOf } from '@prismapi/openapi/compile-openapi'
import { docsPath } from './data/page-request.ts'
import { isPathHere, isWebAddress } from './html/links.ts'

/** What browsers get of a server. */
interface CompiledPages {
  readonly isBrowsable: boolean
  /** How its pages look. */
  readonly look: PageOptions
  /** What shows its reference; null where it has none. */
  readonly docs: Docs | null
}

const pagesKey = new FeatureKey<CompiledPages>('pages')

/** What the class of a server says of its pages. */
export const compiledPages: ServerFeature<CompiledPages> = {
  key: pagesKey,
  compile: ({ name, browsable, pages, docs }, { registry, production, root }) => ({
    isBrowsable: browsable ?? !production,
    look: checkPages(pages, name, registry.byType),
    // A type that is called so keeps its URL.
    docs: registry.byType.has('docs') ? null : compileDocs(docs, root),
  }),
}

const none: CompiledPages = Object.freeze({ isBrowsable: false, look: {}, docs: null })

/** None, where the server was compiled without. */
export const pagesOf = ({ features }: { readonly features: Pick<CompiledFeatures, 'get'> }): CompiledPages =>
  features.get(pagesKey) ?? none

/** What the pages of a server are called. */
export const titleOf = (server: CompiledServer): string =>
  pagesOf(server).look.name ?? openApiOptionsOf(server).title ?? server.name

/** Where the reference of a server is; null where there is none. */
export const docsHref = (server: CompiledServer): string | null => pagesOf(server).docs && server.basePath + docsPath

/** @throws {Error} for a colour, a path or a type that is none. */
export function checkPages(pages: PageOptions, name: string, types: ReadonlyMap<string, unknown>): PageOptions {
  const { colour, logo, groups = {}, blocks = {}, links = {}, own = {} } = pages
  for (const [title, href] of Object.entries(links))
    if (!isWebAddress(href) && !isPathHere(href))
      throw new Error(
        `pages.links of server ${name}: "${href}" of ${title} is no link. Write a path that begins with one slash, or an address with https:.`,
      )
  for (const page of Object.keys(own))
    if (!/^[\w-]+$/.test(page))
      throw new Error(`pages.own of server ${name}: "${page}" is no part of a URL. Write letters, digits and dashes.`)
  for (const type of Object.keys(blocks))
    if (!types.has(type))
      throw new Error(
        `pages.blocks of server ${name}: ${type} is no type of the server. Remove it, or write one of ${[...types.keys()].join(', ')}.`,
      )
  for (const [group, named] of Object.entries(groups))
    for (const type of named)
      if (!types.has(type))
        throw new Error(
          `pages.groups of server ${name}: "${group}" names ${type}, which is no type of the server. Remove it, or write one of ${[...types.keys()].join(', ')}.`,
        )
  if (colour !== undefined && !/^#[\da-f]{6}$/i.test(colour))
    throw new Error(
      `pages.colour of server ${name}: "${colour}" is no colour. Write six hexadecimal digits, such as #7b1fa2.`,
    )
  if (logo !== undefined && !/^\/(?![/\\])[\x21-\x7e]*$/.test(logo))
    throw new Error(`pages.logo of server ${name}: "${logo}" is no path of this origin. Begin it with one slash.`)
  return Object.freeze({ ...pages })
}

/** The reference of a server, as it was found at boot. */
export interface Docs {
  readonly viewer: DocsViewer
  /** The file of its package that runs in the browser. */
  readonly script: string
}

type Resolve = (name: string) => string

const scripts: Readonly<Record<DocsViewer, (resolve: Resolve) => string>> = {
  'openapi-explorer': (resolve) => resolve('openapi-explorer/dist/browser/openapi-explorer.min.js'),
  // Not all of its versions export the script by a name.
  scalar: (resolve) => path.join(path.dirname(resolve('@scalar/api-reference')), 'browser/standalone.js'),
}

/**
 * Finds what shows the reference of a server; null where it has none.
 *
 * @param root the folder of the application.
 * @throws {Error} for a viewer that does not exist, or that the application chose and has not installed.
 */
function compileDocs(docs: DocsViewer | false, root = process.cwd()): Docs | null {
  if (docs === false) return null
  if (!Object.hasOwn(scripts, docs))
    throw new Error(`docs: "${docs}" shows no reference. Write 'openapi-explorer', 'scalar' or false.`)
  const script = scriptOf(docs, createRequire(path.join(root, 'package.json')).resolve)
  if (script !== null) return Object.freeze({ viewer: docs, script })
  if (docs === 'openapi-explorer') return null
  throw new Error(
    `docs = 'scalar' takes a package that is not installed. Run "npm install @scalar/api-reference", or leave docs out.`,
  )
}

function scriptOf(viewer: DocsViewer, resolve: Resolve): string | null {
  try {
    const script = scripts[viewer](resolve)
    return existsSync(script) ? script : null
  } catch {
    return null
  }
}
