import type { Part } from './described.ts'

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
