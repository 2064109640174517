import { readdirSync } from 'node:fs'
import { UsageError } from '../command.ts'
import { readManifest } from './package-json.ts'

/** What is no part of an empty folder, nor of one where `npm init` and `git init` were run. */
export const strangers = (root: string): readonly string[] =>
  readdirSync(root)
    .filter((name) => !/^(\..*|node_modules|package(-lock)?\.json|(README|LICENSE)(\.\w+)?)$/.test(name))
    .sort()

/**
 * Sees to it that a new application, with its scripts, is not mixed with anything of somebody's own.
 *
 * @throws {UsageError} where it would be.
 */
export function checkEmpty(root: string, newScripts: readonly string[]): void {
  const { scripts, dependencies, devDependencies } = readManifest(root) ?? {}
  const prisma = ['prisma', '@prisma/client'].find((name) => name in { ...devDependencies, ...dependencies })
  if (prisma !== undefined)
    throw new UsageError(
      `package.json has ${prisma}, but Prisma finds no schema here. Name it in prisma.config.ts. ` +
        `For a new application, run npm uninstall ${prisma} first.`,
    )
  const found = strangers(root)
  if (found.length > 0)
    throw new UsageError(
      `The folder is not empty: ${[...found.slice(0, 3), ...(found.length > 3 ? ['…'] : [])].join(', ')}. ` +
        'Run prismapi init in an empty folder, or, to add an API to this project, first give it a Prisma schema: npx prisma init.',
    )
  const taken = newScripts.find((name) => name in { ...scripts })
  if (taken !== undefined)
    throw new UsageError(
      `package.json: there is a script "${taken}" already, and the application has one of that name. ` +
        'Rename yours, or run prismapi init in an empty folder.',
    )
}
