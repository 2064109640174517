import { nearest } from '../model/nearest.ts'
import type { SchemaRegistry } from '../schema/resource-schema.ts'
import type { DescribedServer, Part } from './described.ts'

/** A resource as its type's own URL shows it. */
export interface Example {
  readonly type: string
  readonly id: string
  readonly attributes: Part
}

/** The same resource as one that is sent; nothing where a member is missing that has to be sent. */
export function sentExample({ type, id, attributes }: Example, data: Part): Part {
  const properties = data.properties as Readonly<Record<string, Part>>
  const { properties: known = {}, required = [] } = (properties.attributes ?? {}) as Part
  const names = Object.keys(known as object).filter((name) => name in attributes)
  const isWhole = (required as readonly string[]).every((name) => names.includes(name))
  if (!isWhole || (data.required as readonly string[]).includes('relationships')) return {}
  const sent = Object.fromEntries(names.map((name) => [name, attributes[name]]))
  const isNamed = (data.required as readonly string[]).includes('id')
  return { examples: [{ data: { type, ...(isNamed && { id }), attributes: sent } }] }
}

/** @throws {Error} for a type that the server does not have. */
export function checkExamples(
  { name, openapi }: Pick<DescribedServer, 'name' | 'openapi'>,
  types: SchemaRegistry,
): void {
  for (const type of Object.keys(openapi.examples ?? {})) {
    if (types.byType.has(type)) continue
    const meant = nearest(type, types.byType.keys())
    const cure = meant ? `Did you mean ${meant}?` : `There are: ${[...types.byType.keys()].join(', ')}.`
    throw new Error(`Server ${name}: openapi.examples names a type ${type}, which it does not serve. ${cure}`)
  }
}
