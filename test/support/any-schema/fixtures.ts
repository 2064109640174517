import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export type FixtureProvider = 'sqlite' | 'postgresql'

const folder = path.resolve(import.meta.dirname, '../../fixtures/schemas')

/** The names of the schemas in `test/fixtures/schemas`. */
export const fixtureNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.prisma'))
  .map((file) => path.basename(file, '.prisma'))
  .sort()

/**
 * A fixture as a whole schema. Its models are written for SQLite; behind `// postgresql:` stands what a line is on
 * PostgreSQL, where it is another one or is there only.
 */
export const schemaText = (name: string, provider: FixtureProvider): string =>
  schemaOf(readFileSync(path.join(folder, `${name}.prisma`), 'utf8'), provider)

/** Models, written as those of a fixture, as a whole schema. */
export function schemaOf(models: string, provider: FixtureProvider): string {
  const datasource = `datasource db {\n  provider = "${provider}"\n}\n\n`
  return generators + datasource + (provider === 'postgresql' ? models.replace(/^.*\/\/ postgresql: /gm, '') : models)
}

const generator = path.resolve(import.meta.dirname, '../../../packages/cli/src/generator/bin.ts')

/** What a Prisma schema begins with that is generated in a test. */
export const generators = `generator client {
  provider               = "prisma-client"
  output                 = "./generated/client"
  previewFeatures        = ["views"]
}

generator resources {
  provider = "node --conditions=prismapi/source --import tsx ${generator}"
  output   = "./generated"
}

`

/** SQL for what no client can write, run once the fixture has rows; null for most. */
export function arrangement(name: string): string | null {
  const file = path.join(folder, `${name}.sql`)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
