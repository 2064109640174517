import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runTsc, standIn } from '../../packages/cli/test/generator/run-generate.ts'
import { schemaText } from '../support/any-schema/fixtures.ts'
import { generateIn } from '../support/any-schema/generate.ts'

const below = mkdtempSync(path.join(tmpdir(), 'prismapi-types-'))
afterAll(() => rmSync(below, { recursive: true }))

/** Functions that compile where TypeScript takes what `resources.ts` says of a model for what Prisma says of it, and the reverse. */
const bothWays = (model: string) => `
export const where${model}: Both<WhereOf<'${model}'>, client.Prisma.${model}WhereInput> = [(own) => own, (prisma) => prisma]
export const row${model}: Both<RowOf<'${model}'>, client.${model}> = [(own) => own, (prisma) => prisma]
export const data${model}: Both<DataOf<'${model}'>, client.Prisma.${model}CreateManyInput> = [(own) => own, (prisma) => prisma]
`

const header = `
import type { DataOf, RowOf, WhereOf } from 'prismapi'
import type * as client from './generated/client/client.ts'

type Both<Own, Prisma> = [toPrisma: (own: Own) => Prisma, toOwn: (prisma: Prisma) => Own]
`

test.each([
  ['values', 'sqlite'],
  ['values', 'postgresql'],
  ['relations', 'sqlite'],
] as const)('the types of the schema %s are those of Prisma on %s, both ways', async (name, provider) => {
  const folder = path.join(below, `${name}-${provider}`)
  const { resources } = await generateIn(folder, schemaText(name, provider))
  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', types: ['node'], noEmit: true, strict: true, skipLibCheck: true },
    ...{ exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    paths: { prismapi: ['./prismapi.ts'], 'prismapi/types': ['./prismapi.ts'] },
  }
  writeFileSync(path.join(folder, 'prismapi.ts'), standIn)
  const models = Object.values(resources.models).filter(({ operations }) => operations.includes('create'))
  writeFileSync(path.join(folder, 'both.ts'), header + models.map((model) => bothWays(model.name)).join(''))
  const files = ['prismapi.ts', 'both.ts', 'generated/resources.ts']
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  expect(await runTsc(folder)).toEqual({ code: 0, output: '' })
})
