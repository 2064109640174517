import * as modules from 'node:module'

/**
 * Lets the code of a module resolve imports, by its `resolve`; `initialize` gets the data. Node 26 warns of hooks in a
 * thread, and Node 20 has no others: there, `next` returns a promise.
 */
export async function hookImports(code: string, data?: object): Promise<void> {
  const url = `data:text/javascript,${encodeURIComponent(code)}`
  // Of Node 22.15 and later; the types are those of Node 20.
  const registerHooks: RegisterHooks | undefined = Reflect.get(modules, 'registerHooks')
  if (registerHooks === undefined) {
    modules.register(url, { data })
    return
  }
  const { initialize, resolve } = (await import(url)) as Hooks
  initialize?.(data)
  registerHooks({ resolve })
}

interface Hooks {
  initialize?(data: object | undefined): void
  readonly resolve: (...args: readonly never[]) => unknown
}

type RegisterHooks = (hooks: Pick<Hooks, 'resolve'>) => void
