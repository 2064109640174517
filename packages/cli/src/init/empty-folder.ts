import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../command.ts'
import { readManifest } from './package-json.ts'
import { InTheWay, type Refusals } from './refusals.ts'

const isKept = (name: string): boolean =>
  /^(\..*|node_modules|package(-lock)?\.json|(README|LICEN[CS]E|COPYING|NOTICE)([.-][\w.-]+)?)$/i.test(name)

/** What is no part of an empty folder, nor of one where `npm init` and `git init` were run. */
export const strangers = (root: string): readonly string[] =>
  readdirSync(root)
    .filter((name) => !isKept(name))
    .sort()

interface Wanted {
  readonly scripts: readonly string[]
  /** The paths of its files. */
  readonly files: readonly string[]
}

/**
 * Sees to it that a new application, with its files and scripts, is not mixed with files of the user's own: what is in
 * the way is refused.
 */
export function checkEmpty(root: string, refusals: Refusals, { scripts: newScripts, files }: Wanted): void {
  const { scripts, dependencies, devDependencies } = refusals.try(() => readManifest(root)) ?? {}
  const prisma = ['prisma', '@prisma/client'].find((name) => name in { ...devDependencies, ...dependencies })
  if (prisma !== undefined)
    refusals.note(
      new UsageError(
        `package.json has ${prisma}, but Prisma finds no schema here. Name it in prisma.config.ts. ` +
          `For a new application, run npm uninstall ${prisma} first.`,
      ),
    )
  const found = [
    ...new Set([...files.filter((path) => !isKept(path)), built].flatMap((path) => inTheWayOf(root, path))),
  ]
  if (found.length > 0)
    refusals.note(
      new InTheWay(
        found,
        `${found.sort().join(', ')} ${found.length === 1 ? 'is' : 'are'} in the way of a new application. ` +
          'Move what is in the way, run prismapi init in another folder, or, to add an API to this project, first give it a Prisma schema: npx prisma init.',
      ),
    )
  const taken = newScripts.find((name) => name in { ...scripts })
  if (taken !== undefined)
    refusals.note(
      new UsageError(
        `package.json: there is a script "${taken}" already, and the application has one of that name. ` +
          'Rename yours, or run prismapi init in an empty folder.',
      ),
    )
}

// What the build removes before it writes.
const built = 'dist'

/** A file at that path, or a file where a folder has to be. */
function inTheWayOf(root: string, path: string): readonly string[] {
  const parts = path.split('/')
  const above = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
  const kindOf = (each: string) => statSync(join(root, each), { throwIfNoEntry: false })
  const file = above.find((each) => kindOf(each)?.isFile())
  return file === undefined ? (kindOf(path) ? [path] : []) : [file]
}
