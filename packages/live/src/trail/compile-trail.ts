import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Where } from '@prismapi/jsonapi/model/where'
import type { LiveOptions } from '@prismapi/jsonapi/request/features'
import type { RegistryOptions } from '@prismapi/jsonapi/schema/registry'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { linkKeys, linkSides } from './links.ts'
import { keyTexts, namedResource } from './shown-change.ts'
import { trailSchema } from './trail-schema.ts'

/** What the types of a server are made of, with the log of changes as one of them where `live.trail` says so. */
export function withTrail(
  options: RegistryOptions,
  live: LiveOptions | null,
  registry: () => SchemaRegistry,
): RegistryOptions {
  const { resources, schemas, only } = options
  const model = resources.models.Change
  if (!live?.trail || !model) return options
  return {
    ...options,
    resources: withShown(resources, model),
    schemas: new Map([...schemas, [model.name, trailSchema((resource) => changesOf(registry(), resource))]]),
    only: only && [...only, model.name],
  }
}

function withShown(resources: Resources, { isHidden: _, ...model }: ModelMeta): Resources {
  const shown: ModelMeta = { ...model, operations: ['read'] }
  return { ...resources, models: { ...resources.models, [model.name]: shown } }
}

/** The changes of a resource: none of one that cannot be. */
function changesOf(schemas: SchemaRegistry, resource: string): Where {
  const named = namedResource(schemas.byType, resource)
  if (!named) return { id: { in: [] } }
  const links = linkSides(schemas)
    .filter(({ schema }) => schema === named.schema)
    .flatMap((side) =>
      linkKeys(side, named.id).map(([operator, text]) => ({ model: side.table, key: { [operator]: text } })),
    )
  return { OR: [{ model: named.schema.model.name, key: { in: keyTexts(named.schema, named.id) } }, ...links] }
}
