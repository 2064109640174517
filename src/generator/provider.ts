import type { GeneratorOptions } from '@prisma/generator-helper'
import type { Provider } from '../model/meta.ts'

type Sources = Pick<GeneratorOptions, 'schemaPath' | 'datasources'>

/** The database that the schema is for. */
export function findProvider({ schemaPath, datasources }: Sources): Provider {
  const provider = datasources[0]?.activeProvider
  if (provider === undefined) throw new Error(`${schemaPath}: no datasource. Add one: the API depends on its database.`)
  if (provider === 'mongodb') throw new Error(`${schemaPath}: mongodb is no SQL database. Choose another provider.`)
  return provider
}
