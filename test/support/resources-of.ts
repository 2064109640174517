import { toResources } from '@prismapi/cli/generator/from-dmmf'
import { parseSchema } from '@prismapi/cli/prisma/parser'
import type { Provider, Resources } from '@prismapi/jsonapi/model/meta'

/** What is known of a Prisma schema with a datasource, as if it had been generated. */
export function resourcesOf(schema: string, provider: Provider): Resources {
  const { datamodel } = parseSchema([['schema.prisma', schema]])
  return toResources(datamodel, { provider, schema, order: 'schema' })
}
