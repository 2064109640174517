import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** A line of a file that imports, or hands on, something of another one. */
export interface Import {
  /** `packages/core/src/http/call.ts` */
  readonly file: string
  readonly specifier: string
  readonly isType: boolean
}

/** The files of code below a folder of this repository, by their paths in it; none where there is no such folder. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mts|js|mjs)$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
    .sort()
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm

export function importsOf(file: string): readonly Import[] {
  const source = readFileSync(path.join(root, file), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
  return [...source.matchAll(statement)].map(([, type, from, dynamic]) => ({
    file,
    specifier: (from ?? dynamic) as string,
    isType: type !== undefined,
  }))
}

/** The file that an import leads to; '' where it is none of a package. */
export function targetOf({ file, specifier }: Pick<Import, 'file' | 'specifier'>): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  const [, name = '', inner = ''] = /^@prismapi\/(\w+)(?:\/(?:internal\/)?(.+))?$/.exec(specifier) ?? []
  if (name !== '') return `packages/${name}/src/${inner === '' ? 'index' : inner === 'kit' ? 'kit/index' : inner}.ts`
  const [, own] = /^prismapi\/internal\/(.+)$/.exec(specifier) ?? []
  return own ? `packages/prismapi/src/${own}.ts` : specifier === 'prismapi' ? 'packages/prismapi/src/index.ts' : ''
}

/** The folder of `packages/` that a file lies in; '' for a file beside them. */
export const packageOf = (file: string): string => /^packages\/([^/]+)\//.exec(file)?.[1] ?? ''
