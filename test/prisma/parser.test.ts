import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSchema, prismaManifest } from '@prismapi/cli/prisma/parser'
import { expect, test } from 'vitest'

// TypeScript has no types of WebAssembly without those of browsers.
interface Described {
  readonly module: string
  readonly name: string
}
interface Modules {
  readonly Module: {
    new (bytes: Uint8Array): object
    imports(module: object): readonly Described[]
    exports(module: object): readonly Described[]
  }
}
const { Module } = (globalThis as unknown as { readonly WebAssembly: Modules }).WebAssembly

const manifest = prismaManifest() ?? expect.unreachable('Prisma is not installed')

test('the parser of Prisma lies where it lay, and calls and has the functions that are written anew', () => {
  const file = path.join(path.dirname(manifest), 'build/prisma_schema_build_bg.wasm')
  const module = new Module(readFileSync(file))
  const calls = Module.imports(module).map(({ module: from, name }) => `${from} ${withoutHash(name)}`)
  expect(calls.sort(), 'The parser calls other functions: packages/cli/src/prisma/parser.ts has to have them.').toEqual(
    [
      '__wbindgen_placeholder__ __wbg_Error_',
      '__wbindgen_placeholder__ __wbg___wbindgen_throw_',
      '__wbindgen_placeholder__ __wbg_set_message_',
      '__wbindgen_placeholder__ __wbindgen_init_externref_table',
    ],
  )
  const has = Module.exports(module).map(({ name }) => name)
  expect(has, 'The parser lacks a function that packages/cli/src/prisma/parser.ts calls.').toEqual(
    expect.arrayContaining([
      ...['get_config', 'get_datamodel', 'memory'],
      ...['__wbindgen_externrefs', '__wbindgen_malloc', '__wbindgen_start'],
    ]),
  )
})

const withoutHash = (name: string): string => name.replace(/[0-9a-f]{16}$/, '')

const schema = (model: string) => [['schema.prisma', `datasource db {\n  provider = "sqlite"\n}\n\n${model}`]] as const

test('it describes a schema, and says what is wrong with one', () => {
  const { datamodel, datasources } = parseSchema(schema('model Post {\n  id Int @id\n}\n'))
  expect(datamodel.models.map(({ name }) => name)).toEqual(['Post'])
  expect(datasources.map(({ activeProvider }) => activeProvider)).toEqual(['sqlite'])
  expect(
    () => parseSchema(schema('model Post {\n  id Imt @id\n}\n')),
    'Prisma tells of an error in a schema otherwise than before.',
  ).toThrow(/^Type "Imt" is neither a built-in type, nor refers to another model/)
})
