import { type GetPrismaClientConfig, getPrismaClient } from '@prisma/client/runtime/client'
import { toResources } from '@prismapi/cli/generator/from-dmmf'
import { parseSchema } from '@prismapi/cli/prisma/parser'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { GeneratedClient } from '../../any-schema/generate.ts'

/** The databases that random applications run on. */
export type WorldProvider = 'sqlite' | 'postgresql'

/** What `prisma generate` would write of a schema, made in this process: it takes milliseconds, where the command takes seconds. */
export interface InProcess {
  readonly resources: Resources
  readonly PrismaClient: new (options: { adapter: unknown }) => GeneratedClient
}

export function inProcess(schema: string, provider: WorldProvider): InProcess {
  const { datamodel } = parseSchema([['schema.prisma', schema]])
  const models = datamodel.models.map(({ name, dbName, fields }) => [
    name,
    {
      ...{ dbName, schema: null },
      fields: fields.map(({ name: field, kind, type, relationName }) => ({
        ...{ name: field, kind, type },
        ...(relationName !== undefined && { relationName }),
      })),
    },
  ])
  const config = {
    ...{ previewFeatures: [], clientVersion: '7.10.0', engineVersion: '', activeProvider: provider },
    inlineSchema: schema,
    runtimeDataModel: { models: Object.fromEntries(models), enums: {}, types: {} },
    // Without it, plans of queries are kept by their values. An empty graph is some zeros.
    parameterizationSchema: { strings: [], graph: Buffer.alloc(64).toString('base64url') },
    compilerWasm: compilers[provider],
  }
  return {
    resources: toResources(datamodel, { provider, schema, order: 'schema' }),
    PrismaClient: getPrismaClient(config as unknown as GetPrismaClientConfig) as unknown as InProcess['PrismaClient'],
  }
}

// No types of Node's or TypeScript's without those of browsers.
const { WebAssembly: Wasm } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object } }

const compiler = (runtime: () => Promise<unknown>, wasm: () => Promise<{ readonly wasm: string }>) => {
  let module: object | null = null
  return {
    getRuntime: runtime,
    async getQueryCompilerWasmModule() {
      // Compiled once: it is a megabyte and a half.
      module ??= new Wasm.Module(Buffer.from((await wasm()).wasm, 'base64'))
      return module
    },
    importName: './query_compiler_fast_bg.js',
  }
}

const compilers = {
  sqlite: compiler(
    () => import('@prisma/client/runtime/query_compiler_fast_bg.sqlite.mjs' as string),
    () => import('@prisma/client/runtime/query_compiler_fast_bg.sqlite.wasm-base64.mjs' as string),
  ),
  postgresql: compiler(
    () => import('@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs' as string),
    () => import('@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs' as string),
  ),
}

/** The database of this run of the tests. */
export const theProvider: WorldProvider = process.env.TEST_DATABASE === 'postgresql' ? 'postgresql' : 'sqlite'
