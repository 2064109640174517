import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** The names of the packages of this repository, by their folders below `packages/`. */
export function ownPackages(): ReadonlyMap<string, string> {
  const nameOf = (folder: string): string =>
    JSON.parse(readFileSync(path.join(root, 'packages', folder, 'package.json'), 'utf8')).name
  return new Map(readdirSync(path.join(root, 'packages')).map((folder) => [folder, nameOf(folder)]))
}

/** Gives a copy of this repository the packages that are installed here; those of `packages/` are the copy's own. */
export function linkPackages(copy: string): void {
  const [from, to] = [path.join(root, 'node_modules'), path.join(copy, 'node_modules')]
  const own = ownPackages()
  const names = new Set(own.values())
  mkdirSync(path.join(to, '@prismapi'), { recursive: true })
  for (const name of readdirSync(from))
    if (name !== '@prismapi' && !names.has(name)) symlinkSync(path.join(from, name), path.join(to, name))
  for (const [folder, name] of own) {
    const link = path.join(to, name)
    // Relative: the copy may be moved.
    symlinkSync(path.relative(path.dirname(link), path.join(copy, 'packages', folder)), link)
  }
}
