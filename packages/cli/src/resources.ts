import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type Command, UsageError } from './command.ts'
import { resourcesFile } from './generator/generate.ts'
import { type PrismaSchema, readPrismaSchema } from './prisma-schema.ts'

/** `prismapi resources`: writes `resources.ts` from the Prisma schema, as `prisma generate` does by the generator. */
export const resourcesCommand: Command = {
  usage: 'resources [--schema=<path>] [--out=<file>]',
  summary: 'Writes resources.ts from the Prisma schema, without prisma generate.',
  example: 'resources',
  options: {
    schema: { type: 'string', about: 'Another Prisma schema: a file, or a folder.' },
    out: { type: 'string', about: 'The file; by default resources.ts in the output of the generator.' },
  },
  async run({ root, values, positionals }, { say, paint }) {
    if (positionals.length > 0) throw new UsageError(`Usage: prismapi ${resourcesCommand.usage}`)
    const schema = await readPrismaSchema(root, values.schema as string | undefined)
    if (schema.problems.length > 0) throw new UsageError(schema.problems.join('\n'))
    const path = values.out === undefined ? placeIn(schema) : resolve(root, String(values.out))
    const origin = { schemaPath: resolve(root, schema.path), otherGenerators: schema.generators }
    const { text } = resourcesFile(path, schema.resources, origin)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    say(`${paint('green', 'written')} ${relative(root, path).split(sep).join('/')}`)
  },
}

function placeIn({ path, generators }: PrismaSchema): string {
  const ours = generators.find(({ provider }) => provider.value?.includes('prisma-generator-resources'))
  const folder = ours?.output?.value
  if (folder) return join(folder, 'resources.ts')
  throw new UsageError(
    `${path}: no generator has the provider "prisma-generator-resources" and an output. Name the file: --out=prisma/generated/resources.ts.`,
  )
}
