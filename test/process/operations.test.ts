import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modelOperations } from '@prismapi/cli/generator/blocks'
import { expect, test } from 'vitest'
import { copyFixture, runGenerate } from '../../packages/cli/test/generator/run-generate.ts'

// A generator that writes down what Prisma says: what we read in the schema's text is that.

const spy = `import helper from '@prisma/generator-helper'
import { writeFileSync } from 'node:fs'
helper.generatorHandler({
  onManifest: () => ({ defaultOutput: '.' }),
  onGenerate: ({ dmmf }) => writeFileSync(new URL('said.json', import.meta.url), JSON.stringify(dmmf.mappings.modelOperations)),
})
`

test('what Prisma Client can do with each model is read in the schema', async () => {
  const folder = await copyFixture('operations')
  const schema = join(folder, 'operations/schema.prisma')
  await writeFile(join(folder, 'operations/spy.mjs'), spy)
  const text = await readFile(schema, 'utf8')
  await writeFile(schema, text.replace('node spy.mjs', `node ${join(folder, 'operations/spy.mjs')}`))
  const { code, output } = await runGenerate(folder, 'operations/schema.prisma')
  expect([code, output]).toEqual([0, expect.anything()])
  const said = JSON.parse(await readFile(join(folder, 'operations/said.json'), 'utf8')) as Record<string, string>[]
  const known = modelOperations(text)
  const kinds = ['create', 'update', 'delete']
  const fromPrisma = said.map((each) => [each.model, ['read', ...kinds.filter((kind) => each[`${kind}One`])]])
  // Prisma would create this one, and the database refuse it: nothing fills the column.
  expect(known.get('Ignoring')).toEqual(['read', 'update', 'delete'])
  expect(fromPrisma.filter(([model]) => model !== 'Ignoring')).toEqual(
    [...known].filter(([model]) => model !== 'Ignoring' && model !== 'Nameless'),
  )
})
