import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const kinds = ['dependencies', 'devDependencies', 'peerDependencies'] as const

interface Manifest extends Partial<Record<(typeof kinds)[number], Readonly<Record<string, string>>>> {
  readonly name: string
}

/** The package.json of each package, with the name of its folder below `packages/`. */
export function ownManifests(root: string): readonly { readonly folder: string; readonly manifest: Manifest }[] {
  return readdirSync(join(root, 'packages')).map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')),
  }))
}

const isOwn = (name: string): boolean => /^(@prismapi\/.+|prismapi)$/.test(name)

/** A package.json, or its entry in the lock file, of another version: that of the packages beside it, too. */
export function withVersion<Each extends Manifest>(manifest: Each, version: string): Each {
  const changed = kinds.flatMap((kind) => {
    const wanted = Object.entries(manifest[kind] ?? {}).map(([name, range]) => [name, isOwn(name) ? version : range])
    return wanted.length === 0 ? [] : [[kind, Object.fromEntries(wanted)]]
  })
  return { ...manifest, version, ...Object.fromEntries(changed) }
}

/** The names of all packages, each behind those that come with it. */
export function publishOrder(root: string): readonly string[] {
  const all = new Map(ownManifests(root).map(({ manifest }) => [manifest.name, manifest]))
  const order = new Set<string>()
  const add = (name: string): void => {
    for (const each of Object.keys(all.get(name)?.dependencies ?? {})) if (all.has(each)) add(each)
    order.add(name)
  }
  for (const name of all.keys()) add(name)
  return [...order]
}

/** The file that `npm pack` writes. */
export const tarballOf = (name: string, version: string): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
