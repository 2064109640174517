import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { missingFile } from '@prismapi/jsonapi/model/missing-file'
import { UsageError } from './command.ts'

type Module = Readonly<Record<string, unknown>>

/** Imports a TypeScript file of the application, through the application's tsx where this Node cannot read it. */
export async function loadFile(root: string, path: string): Promise<Module> {
  try {
    return await importFile(root, path)
  } catch (error) {
    throw new UsageError(isUnread(error) ? `${path} ${noTypeScript}` : `${path} cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** The same, with the errors as they are. */
export async function importFile(root: string, path: string): Promise<Module> {
  await readTypeScript(root)
  return exportsOf(await import(pathToFileURL(resolve(root, path)).href))
}

/** Neither this Node nor the application reads TypeScript. */
export const isUnread = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION'

// Below no `"type": "module"` tsx makes CommonJS of a file: what it exports is one value then.
function exportsOf(module: Module): Module {
  const whole = module.default as Module | null | undefined
  return whole?.__esModule === true ? whole : module
}

/** Has TypeScript imported from here on, where this Node cannot do so by itself. */
export async function readTypeScript(root: string): Promise<void> {
  // First, not once it failed: Node remembers the failure of a file, which another may import later.
  if (!readsTypeScript) await registerTsx(root)
}

/** Of Node 22.18 and later; the types are those of Node 20. */
export const readsTypeScript = Boolean(Reflect.get(process.features, 'typescript'))
const noTypeScript = 'is TypeScript, which this Node does not read. Run npm install --save-dev tsx.'

// As `node --import tsx` does, after the start; a second time does nothing.
async function registerTsx(root: string): Promise<void> {
  let tsx: string
  try {
    tsx = createRequire(join(root, 'package.json')).resolve('tsx')
  } catch {
    return
  }
  await import(pathToFileURL(tsx).href)
}

/** What to say of a file that fails. */
export const messageOf = (error: unknown): string =>
  missingFile(error) ?? (error instanceof Error ? error.message : String(error))
