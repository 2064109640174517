import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { UsageError } from '../command.ts'
import { cachedParse } from './parse-cache.ts'
import type { DMMF, GeneratorOptions } from './schema-description.ts'

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
 * Parses a schema with Prisma's own parser, in this process, without a database or generated files. It reads only the
 * models, because Prisma takes 20 seconds to describe all queries of 300 models.
 *
 * @throws {UsageError} with Prisma's message, for a schema that is not valid.
 */
export const parseSchema = (files: readonly SchemaFile[]): ParsedSchema =>
  cachedParse(prismaManifest(), files, () => parse(files))

function parse(prismaSchema: readonly SchemaFile[]): ParsedSchema {
  const parser = loadParser()
  const { config, errors } = JSON.parse(parser.get_config({ prismaSchema })) as ConfigOutput
  if (errors.length > 0) throw new UsageError(errors.map(({ message }) => withoutPrefix(message)).join('\n'))
  try {
    const datamodel = JSON.parse(parser.get_datamodel({ prismaSchema, noColor: true })) as DMMF.Datamodel
    return { datamodel, datasources: config.datasources, generators: config.generators }
  } catch (error) {
    throw new UsageError(schemaErrorIn(error as Error), { cause: error })
  }
}

interface ConfigOutput {
  readonly config: Pick<ParsedSchema, 'datasources' | 'generators'>
  readonly errors: readonly { readonly message: string }[]
}

/** The parser throws JSON with a message; a panic is plain text. */
function schemaErrorIn({ message }: Error): string {
  try {
    return withoutPrefix(String((JSON.parse(message) as { message: unknown }).message))
  } catch {
    return message
  }
}

const withoutPrefix = (message: string): string => message.replace(/^error: /, '').trim()

/**
 * The `package.json` of the Prisma 7 CLI; null where no Prisma CLI is installed. Beside Prisma 8, it is that of
 * `@prisma/prisma7`.
 *
 * @param from the file or folder whose packages are searched
 * @throws {UsageError} where only another major is installed.
 */
export function prismaManifest(from: string = import.meta.url): string | null {
  const beside = resolved(from, '@prisma/prisma7/package.json')
  const manifest = resolved(beside ?? from, 'prisma/package.json')
  if (manifest === null) return null
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  if (version.startsWith('7.')) return manifest
  throw new UsageError(
    `prismapi reads the schema with Prisma 7, and prisma ${version} is installed. Run npm install --save-dev prisma@7, or, to keep it, npm install --save-dev @prisma/prisma7.`,
  )
}

function resolved(from: string, name: string): string | null {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return null
  }
}

// The parser is WebAssembly by Rust's wasm-bindgen. Prisma bundles its JavaScript half, so that is written again below.

/** Functions of the parser: each takes JSON and returns JSON. */
type Parser = Readonly<Record<'get_config' | 'get_datamodel', (input: object) => string>>

function loadParser(): Parser {
  const manifest = prismaManifest()
  if (manifest === null)
    throw new UsageError('The package prisma is not installed. Run npm install --save-dev prisma@7.')
  const module = new Module(readFileSync(join(dirname(manifest), 'build/prisma_schema_build_bg.wasm')))
  const imports = Module.imports(module).map(({ name }) => [name, importNamed(name, () => exports)] as const)
  const instance = new Instance(module, { __wbindgen_placeholder__: Object.fromEntries(imports) })
  const exports = instance.exports as ParserExports
  exports.__wbindgen_start()
  const bind = (name: keyof Parser) => (input: object) => callParser(exports, exports[name], JSON.stringify(input))
  return { get_config: bind('get_config'), get_datamodel: bind('get_datamodel') }
}

/** Copies a text into the parser's memory, calls the function with it, and reads the text that it returns. */
function callParser(exports: ParserExports, run: ParserFunction, input: string): string {
  const bytes = new TextEncoder().encode(input)
  const address = exports.__wbindgen_malloc(bytes.length, 1) >>> 0
  new Uint8Array(exports.memory.buffer).set(bytes, address)
  const [outputAddress, outputLength, errorIndex, hasFailed] = run(address, bytes.length)
  if (hasFailed) throw exports.__wbindgen_externrefs.get(errorIndex as number)
  return readText(exports, outputAddress, outputLength)
}

interface ParserExports extends Readonly<Record<keyof Parser, ParserFunction>> {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** JavaScript values that the parser refers to by their index. */
  readonly __wbindgen_externrefs: ReferenceTable
  __wbindgen_start(): void
  __wbindgen_malloc(size: number, alignment: number): number
}

interface ReferenceTable {
  get(index: number): unknown
  set(index: number, value: unknown): void
  grow(by: number): number
}

type ParserFunction = (
  address: number,
  length: number,
) => readonly [outputAddress: number, outputLength: number, errorIndex?: number, hasFailed?: number]

const readText = ({ memory }: ParserExports, address: number, length: number): string =>
  new TextDecoder().decode(new Uint8Array(memory.buffer, address >>> 0, length))

/** A JavaScript function that the parser calls. Its name ends with a hash, which differs from version to version. */
function importNamed(name: string, exports: () => ParserExports): (address: number, length: number) => unknown {
  if (name.startsWith('__wbg_Error_')) return (address, length) => new Error(readText(exports(), address, length))
  if (name === '__wbindgen_init_externref_table') return () => initReferences(exports().__wbindgen_externrefs)
  // The others report a panic of the parser.
  return (address, length) => {
    throw new Error(readText(exports(), address, length))
  }
}

/** wasm-bindgen expects undefined, null, true and false at the start of its table. */
function initReferences(table: ReferenceTable): void {
  const start = table.grow(4)
  for (const [i, value] of [undefined, null, true, false].entries()) table.set(start + i, value)
  table.set(0, undefined)
}

// TypeScript has no types of WebAssembly without those of browsers.
interface WebAssemblyModules {
  readonly Module: { new (bytes: Uint8Array): object; imports(module: object): readonly { readonly name: string }[] }
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyModules }).WebAssembly
