import type { ResourceSchema, SchemaRegistry } from './resource-schema.ts'

/** What a schema class uses when the client says nothing must be legal itself: checked at boot, not by the first client. */
export function checkDefaults(schema: ResourceSchema, registry: SchemaRegistry): void {
  for (const path of schema.defaultInclude) checkInclude(schema, path, registry)
  for (const key of schema.defaultSort.split(',').filter(Boolean)) checkSort(schema, key.replace(/^-/, ''))
  checkPage(schema)
}

function checkInclude(schema: ResourceSchema, path: string, registry: SchemaRegistry): void {
  let current: ResourceSchema | undefined = schema
  for (const name of path.split('.')) {
    const relation: ReturnType<ResourceSchema['relations']['get']> = current?.relations.get(name)
    if (!current || !relation)
      throw new Error(
        `${schema.type}: defaultInclude names ${path}, but there is no relation ${name} on ${current?.type ?? 'a polymorphic relation'}.`,
      )
    current = relation.kind === 'morphTo' ? undefined : registry.byModel.get(relation.model)
  }
}

function checkSort(schema: ResourceSchema, key: string): void {
  const [name = ''] = key.split('.')
  if (name === 'id' || schema.attributes.get(name)?.isSortable || (key.includes('.') && schema.relations.has(name)))
    return
  throw new Error(
    `${schema.type}: defaultSort names ${key}, which is no sortable attribute. It has: ${[...schema.attributes.keys()].join(', ')}.`,
  )
}

function checkPage(schema: ResourceSchema): void {
  if (!schema.paginator || !schema.defaultPage) return
  try {
    schema.paginator.parse(schema.defaultPage, schema)
  } catch (error) {
    throw new Error(`${schema.type}: defaultPagination is refused by the paginator: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
