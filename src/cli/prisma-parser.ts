import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DMMF, GeneratorOptions } from '@prisma/generator-helper'
import { UsageError } from './command.ts'
import { cachedParse } from './parse-cache.ts'

/** A file of a Prisma schema: its path, as messages shall show it, and its text. */
export type SchemaFile = readonly [path: string, text: string]

/** What a Prisma schema says, as Prisma itself reads it. */
export interface ParsedSchema {
  readonly datamodel: DMMF.Datamodel
  readonly datasources: GeneratorOptions['datasources']
  /** Their outputs are as they are written: relative to the file that they stand in. */
  readonly generators: GeneratorOptions['otherGenerators']
}

/**
 * Parses a schema by the WebAssembly that `prisma generate` uses, in this process: without a database, and without
 * anything generated before. Only the models, since all that Prisma Client can be asked of 300 models takes 20 seconds to write down.
 *
 * @throws {UsageError} what Prisma says of a schema that is not valid.
 */
export const parseSchema = (files: readonly SchemaFile[]): ParsedSchema =>
  cachedParse(prismaManifest(), files, () => parse(files))

function parse(files: readonly SchemaFile[]): ParsedSchema {
  const parser = startParser()
  const prismaSchema = files
  const { config, errors } = JSON.parse(parser.get_config({ prismaSchema })) as Config
  if (errors.length > 0) throw new UsageError(errors.map(({ message }) => plain(message)).join('\n'))
  try {
    const datamodel = JSON.parse(parser.get_datamodel({ prismaSchema, noColor: true })) as DMMF.Datamodel
    return { datamodel, datasources: config.datasources, generators: config.generators }
  } catch (error) {
    throw new UsageError(complaintOf(error as Error), { cause: error })
  }
}

interface Config {
  readonly config: Pick<ParsedSchema, 'datasources' | 'generators'>
  readonly errors: readonly { readonly message: string }[]
}

// "error: Type \"Foo\" is neither …", inside of JSON.
function complaintOf({ message }: Error): string {
  try {
    return plain(String((JSON.parse(message) as { message: unknown }).message))
  } catch {
    return message
  }
}

// No types of Node's or TypeScript's without those of browsers.
interface Wasm {
  readonly Module: { new (bytes: Uint8Array): object; imports(module: object): readonly { readonly name: string }[] }
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly

const plain = (message: string): string => message.replace(/^error: /, '').trim()

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly __wbindgen_externrefs: Table
  __wbindgen_start(): void
  __wbindgen_malloc(size: number, alignment: number): number
  get_config: WasmFunction
  get_datamodel: WasmFunction
}

interface Table {
  get(at: number): unknown
  set(at: number, value: unknown): void
  grow(by: number): number
}

/** Text in, text out; an error is a place in the table of references. */
type WasmFunction = (
  at: number,
  length: number,
) => readonly [at: number, length: number, error?: number, failed?: number]

type Parser = Readonly<Record<'get_config' | 'get_datamodel', (input: object) => string>>

function startParser(): Parser {
  const module = new Module(readFileSync(parserFile()))
  const imports = Module.imports(module).map(({ name }) => [name, importOf(name, () => exports)] as const)
  const instance = new Instance(module, { __wbindgen_placeholder__: Object.fromEntries(imports) })
  const exports = instance.exports as Exports
  exports.__wbindgen_start()
  const call = (name: keyof Parser) => (input: object) => {
    const bytes = new TextEncoder().encode(JSON.stringify(input))
    const start = exports.__wbindgen_malloc(bytes.length, 1) >>> 0
    new Uint8Array(exports.memory.buffer).set(bytes, start)
    const [at, length, error, failed] = exports[name](start, bytes.length)
    if (failed) throw exports.__wbindgen_externrefs.get(error as number)
    return textAt(exports, at, length)
  }
  return { get_config: call('get_config'), get_datamodel: call('get_datamodel') }
}

function parserFile(): string {
  const manifest = prismaManifest()
  if (manifest !== null) return join(dirname(manifest), 'build/prisma_schema_build_bg.wasm')
  throw new UsageError('The package prisma is not installed. Run npm install --save-dev prisma.')
}

/** The `package.json` of the Prisma CLI; null where it is not installed. */
export function prismaManifest(): string | null {
  try {
    return createRequire(import.meta.url).resolve('prisma/package.json')
  } catch {
    return null
  }
}

const textAt = ({ memory }: Exports, at: number, length: number): string =>
  new TextDecoder().decode(new Uint8Array(memory.buffer, at >>> 0, length))

/** What the parser asks of JavaScript; its names end with a hash, which differs from version to version. */
function importOf(name: string, exports: () => Exports): (at: number, length: number) => unknown {
  if (name.startsWith('__wbg_Error_')) return (at, length) => new Error(textAt(exports(), at, length))
  if (name === '__wbindgen_init_externref_table') return () => fillTable(exports().__wbindgen_externrefs)
  // A panic of the parser, or its binding's own complaint.
  return (at, length) => {
    throw new Error(textAt(exports(), at, length))
  }
}

// The first references are the values that need no place of their own.
function fillTable(table: Table): void {
  const start = table.grow(4)
  for (const [i, value] of [undefined, null, true, false].entries()) table.set(start + i, value)
  table.set(0, undefined)
}
