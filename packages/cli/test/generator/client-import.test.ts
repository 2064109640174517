import type { GeneratorConfig } from '@prisma/generator-helper'
import { expect, test } from 'vitest'
import { clientImport } from '../../src/generator/client-import.ts'

const generator = (provider: string, output: string, over: Partial<GeneratorConfig> = {}): GeneratorConfig => ({
  name: 'client',
  provider: { fromEnvVar: null, value: provider },
  output: { fromEnvVar: null, value: output },
  isCustomOutput: true,
  config: {},
  binaryTargets: [],
  previewFeatures: [],
  sourceFilePath: '/app/prisma/schema.prisma',
  ...over,
})
const importFrom = (folder: string, ...otherGenerators: GeneratorConfig[]) =>
  clientImport({ schemaPath: '/app/prisma/schema.prisma', otherGenerators }, folder)

test('the client is imported relative to the file', () => {
  const client = generator('prisma-client', '/app/prisma/generated/client')
  expect(importFrom('/app/prisma/generated', client)).toBe('./client/client.ts')
  expect(importFrom('/app/src/api', client)).toBe('../../prisma/generated/client/client.ts')
  expect(importFrom('/app/prisma/generated/client', client)).toBe('./client.ts')
  expect(importFrom('/app/prisma/generated/client/api', client)).toBe('../client.ts')
})

test('the client keeps the ending that its generator was given', () => {
  const client = generator('prisma-client', '/app/db', { config: { generatedFileExtension: 'mts' } })
  expect(importFrom('/app', client)).toBe('./db/client.mts')
})

test('prisma-client-js is imported as a package, or from its own output', () => {
  const legacy = generator('prisma-client-js', '/app/node_modules/@prisma/client', { isCustomOutput: false })
  expect(importFrom('/app/prisma', legacy)).toBe('@prisma/client')
  expect(importFrom('/app/prisma', generator('prisma-client-js', '/app/prisma/db'))).toBe('./db/index.js')
})

test('of two clients the new one is taken', () => {
  const both = [generator('prisma-client-js', '/app/old'), generator('prisma-client', '/app/new')]
  expect(importFrom('/app', ...both)).toBe('./new/client.ts')
})

test('without a client the error names the schema and the cure', () => {
  expect(() => importFrom('/app', generator('prisma-erd', '/app'))).toThrow(
    '/app/prisma/schema.prisma: no Prisma Client to take the types from. Add a generator with the provider ' +
      '"prisma-client"; where `prisma generate --generator` names this generator, name that one too.',
  )
})
