import { hookImports } from '../hook-imports.ts'
import { readsTypeScript } from '../load-file.ts'

const framework = new URL(import.meta.url.endsWith('.ts') ? './framework.ts' : './framework.js', import.meta.url).href

const hooks = `
export const resolve = (specifier, context, next) =>
  next(specifier === 'prismapi' ? ${JSON.stringify(framework)} : specifier, context)`

/** From here on the files of the application import this framework as `prismapi`, without what answers requests. */
export function giveFramework(): Promise<void> {
  given ??= give()
  return given
}

let given: Promise<void> | null = null
async function give(): Promise<void> {
  // With hooks in a thread, each file passes that thread, and loading takes twice as long. From source, hooks exist
  // already.
  if (!readsTypeScript && framework.endsWith('.js')) await import(framework)
  await hookImports(hooks)
}
