import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from './command.ts'

type Module = Readonly<Record<string, unknown>>

/** Imports a TypeScript file of the application, through the application's tsx where this Node cannot read it. */
export async function loadFile(root: string, path: string): Promise<Module> {
  const { href } = pathToFileURL(join(root, path))
  try {
    return await import(href)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw unreadable(path, error)
  }
  await registerTsx(root, path)
  try {
    // Under its own name, Node would remember that it failed.
    return await import(`${href}?through=tsx`)
  } catch (error) {
    throw unreadable(path, error)
  }
}

// As `node --import tsx` does, after the start.
async function registerTsx(root: string, path: string): Promise<void> {
  try {
    await import(pathToFileURL(createRequire(join(root, 'package.json')).resolve('tsx')).href)
  } catch (error) {
    throw new UsageError(`${path} is TypeScript, which this Node does not read. Run npm install --save-dev tsx.`, {
      cause: error,
    })
  }
}

const unreadable = (path: string, error: unknown): UsageError =>
  new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
