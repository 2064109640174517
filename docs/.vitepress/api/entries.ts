import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

/** Of a file, by its path in the repository. */
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** What an application imports from. */
export interface Entry {
  /** `prismapi/sqlite`, `@prismapi/testing` */
  readonly name: string
  /** Its page below `api/`. */
  readonly page: string
  readonly source: string
  /** What it exports, as `npm run check` compares it with the code. */
  readonly report: string
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly 'prismapi/source'?: string }>>
}

/** The packages that applications import from. */
export const entries: readonly Entry[] = ['packages/prismapi', 'packages/testing'].flatMap((folder) => {
  const { name, exports } = JSON.parse(read(`${folder}/package.json`)) as Manifest
  return Object.entries(exports).flatMap(([subpath, target]) => {
    // What has no source hands on another package's entry.
    const source = typeof target === 'string' ? undefined : target['prismapi/source']
    if (source === undefined || subpath.includes('*')) return []
    const specifier = path.posix.join(name, subpath)
    const page = specifier.replace(/^@?prismapi\//, '').replaceAll('/', '-')
    const report = page === 'prismapi' ? 'index' : page
    return { name: specifier, page, source: path.posix.join(folder, source), report: `api/${report}.api.md` }
  })
})
