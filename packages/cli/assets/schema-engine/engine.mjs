import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'

/** Prisma's engine over a driver adapter. One per process: a second instance of the module panics. */
export async function startEngine(datamodels, factory) {
  const { SchemaEngine } = await loadWasm()
  const files = await Promise.all(datamodels.map(async (path) => [path, await readFile(path, 'utf8')]))
  const adapter = bindMigrationAwareSqlAdapterFactory(factory)
  const options = { datamodels: files.length > 0 ? files : undefined }
  const engine = await withCause(adapter.errorRegistry, () => SchemaEngine.new(options, logLine, adapter))
  return {
    has: (method) => typeof engine[method] === 'function',
    call: (method, params) => withCause(adapter.errorRegistry, () => engine[method](params)),
  }
}

// The engine tells a foreign error of the adapter by its number only.
async function withCause(registry, work) {
  try {
    return await work()
  } catch (error) {
    const [, id] = /^External error id#(\d+)/.exec(error?.message) ?? []
    throw (id && registry.consumeError(Number(id))?.error) || error
  }
}

// The package's entry imports the `.wasm` file as a module, which Node 20 cannot: its glue code is wired up here.
async function loadWasm() {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'))
  const glue = await import(pathToFileURL(join(folder, 'schema_engine_bg.js')).href)
  const module = await WebAssembly.compile(await readFile(join(folder, 'schema_engine_bg.wasm')))
  const instance = await WebAssembly.instantiate(module, { './schema_engine_bg.js': glue })
  registerPanics()
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return glue
}

// The glue code hands a panic's text to this global; without it the panic would be told as a TypeError.
function registerPanics() {
  let message = ''
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message(text) {
      message = text
    },
    get: () => message,
  }
}

function logLine(line) {
  if (process.env.DEBUG) process.stderr.write(`${line}\n`)
}
