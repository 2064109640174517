import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

/** Of a file, by its path in the repository. */
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** An entry of the package. */
export interface Entry {
  /** What is imported: `prismapi/sqlite`. */
  readonly name: string
  /** Its page below `api/`. */
  readonly page: string
  readonly source: string
  /** What it exports, as `npm run check` compares it with the code. */
  readonly report: string
}

const { exports } = JSON.parse(read('package.json')) as {
  readonly exports: Readonly<Record<string, string | { readonly 'prismapi/source': string }>>
}

export const entries: readonly Entry[] = Object.entries(exports).flatMap(([subpath, target]) => {
  if (typeof target === 'string') return []
  const name = subpath.slice('./'.length).replaceAll('/', '-')
  return {
    name: `prismapi${subpath.slice(1)}`,
    page: name || 'prismapi',
    source: path.posix.normalize(target['prismapi/source']),
    report: `api/${name || 'index'}.api.md`,
  }
})
