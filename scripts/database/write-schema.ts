import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { prismaCli } from './prisma-cli.ts'
import { type Provider, schemaFor } from './schema-for.ts'

const root = resolve(import.meta.dirname, '../..')

/** Writes the example's schema for another database to that file, formatted as Prisma does it. Paths are the repository's. */
export async function writeSchema(provider: Provider, file: string, generated: string): Promise<void> {
  const target = join(root, file)
  const folder = relative(dirname(target), join(root, generated)).split(sep).join('/') || '.'
  const schema = readFileSync(join(root, 'prisma/schema.prisma'), 'utf8')
  const note = `// Made of prisma/schema.prisma by "npm run schema:postgres": change the models there.\n\n`
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, note + schemaFor(provider, schema, folder))
  const { failed, stderr } = await prismaCli('format', '--schema', file)
  if (failed) throw new Error(`${file}: ${stderr}`)
}
