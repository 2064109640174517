import { readFileSync } from 'node:fs'
import path from 'node:path'

/** One of the package's entries: what an application imports from. */
export interface Entry {
  /** `prismapi/testing` */
  readonly specifier: string
  /** `testing`, as its report is called: `api/testing.api.md`. */
  readonly name: string
  /** The path of its declarations below the folder of a build: `testing/index.d.ts`. */
  readonly declarations: string
}

/** The entries that `exports` of package.json names, the main one first; files that are no code are none. */
export function entriesOf(root: string): readonly Entry[] {
  const { name, exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Package
  return Object.entries(exports).flatMap(([key, to]) => {
    if (typeof to === 'string') return []
    const below = key.replace(/^\.\/?/, '')
    return {
      specifier: path.posix.join(name, below),
      name: below === '' ? 'index' : below.replaceAll('/', '-'),
      declarations: path.posix.relative('dist', path.posix.normalize(to.types)),
    }
  })
}

interface Package {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}
