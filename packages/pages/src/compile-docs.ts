import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { DocsViewer } from '@prismapi/core/server/server'

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
export function compileDocs(docs: DocsViewer | false, root = process.cwd()): Docs | null {
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
