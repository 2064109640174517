import { relative, sep } from 'node:path'
import type { Provider } from '@prismapi/jsonapi/model/meta'
import type { GeneratorOptions } from '../prisma/schema-description.ts'

type Context = Pick<GeneratorOptions, 'schemaPath' | 'otherGenerators'>
type Generator = Context['otherGenerators'][number]

/** The specifier by which a file in `folder` imports the types of the application's Prisma Client. */
export function clientImport({ schemaPath, otherGenerators }: Context, folder: string): string {
  const byProvider = (name: string) => otherGenerators.find(({ provider }) => provider.value === name)
  const client = byProvider('prisma-client')
  // A type import may end with `.ts` whatever the application's compiler options are.
  if (client) return `${pathTo(client, folder)}/client.${extension(client)}`
  const legacy = byProvider('prisma-client-js')
  if (legacy) return legacy.isCustomOutput ? `${pathTo(legacy, folder)}/index.js` : '@prisma/client'
  throw new Error(
    `${schemaPath}: no Prisma Client to take the types from. Add a generator with the provider "prisma-client"; ` +
      'where `prisma generate --generator` names this generator, name that one too.',
  )
}

/** By a preview feature on PostgreSQL, conditions have `search`. */
export const searchesTexts = ({ otherGenerators }: Pick<Context, 'otherGenerators'>): boolean =>
  otherGenerators.some(({ previewFeatures }) => previewFeatures.includes('fullTextSearchPostgres'))

function pathTo({ output }: Generator, folder: string): string {
  const path = relative(folder, output?.value ?? '')
    .split(sep)
    .join('/')
  if (path === '') return '.'
  return path.startsWith('.') ? path : `./${path}`
}

// Prisma's own option for the ending of the files that it writes.
function extension({ config }: Generator): string {
  const { generatedFileExtension } = config
  return typeof generatedFileExtension === 'string' ? generatedFileExtension : 'ts'
}

type Sources = Pick<GeneratorOptions, 'schemaPath' | 'datasources'>

/** The database that the schema is for. */
export function findProvider({ schemaPath, datasources }: Sources): Provider {
  const provider = datasources[0]?.activeProvider
  if (provider === undefined) throw new Error(`${schemaPath}: no datasource. Add one: the API depends on its database.`)
  if (provider === 'mongodb') throw new Error(`${schemaPath}: mongodb is no SQL database. Choose another provider.`)
  return provider
}
