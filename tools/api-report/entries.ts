import { readFileSync } from 'node:fs'
import path from 'node:path'

/** What an application imports from. */
export interface Entry {
  /** `prismapi/sqlite`, `@prismapi/testing` */
  readonly specifier: string
  /** `testing`, as its report is called: `api/testing.api.md`. */
  readonly name: string
  /** The path of its declarations below the folder of a build: `testing/src/index.d.ts`. */
  readonly declarations: string
}

/** The packages whose entries are public, the main one first. */
const named = ['prismapi', 'testing']

/** The entries that `exports` of their package.json names; files that are no code are none, nor are entries of another package under a second name. */
export function entriesOf(root: string): readonly Entry[] {
  return named.flatMap((folder) => {
    const { name, exports } = JSON.parse(
      readFileSync(path.join(root, 'packages', folder, 'package.json'), 'utf8'),
    ) as Package
    return Object.entries(exports).flatMap(([key, to]) => {
      const source = typeof to === 'string' ? undefined : to['prismapi/source']
      if (source === undefined || key.includes('*')) return []
      const specifier = path.posix.join(name, key)
      return {
        specifier,
        name: specifier === 'prismapi' ? 'index' : specifier.replace(/^@?prismapi\//, '').replaceAll('/', '-'),
        declarations: path.posix.join(folder, source.replace(/\.ts$/, '.d.ts')),
      }
    })
  })
}

interface Package {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly 'prismapi/source'?: string }>>
}
