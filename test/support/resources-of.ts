import { parseSchema } from '../../src/cli/prisma-parser.ts'
import { toResources } from '../../src/generator/from-dmmf.ts'
import type { Provider, Resources } from '../../src/model/meta.ts'

/** What is known of a Prisma schema with a datasource, as if it had been generated. */
export function resourcesOf(schema: string, provider: Provider): Resources {
  const { datamodel } = parseSchema([['schema.prisma', schema]])
  return toResources(datamodel, { provider, schema, order: 'schema' })
}
