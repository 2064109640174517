import type { Identifier, Linkage } from '../document/types.ts'
import type { PivotMeta } from '../read/loading/pivot-meta.ts'
import type { Resource } from '../read/resource.ts'

function identifier({ schema, id }: Resource, metas: PivotMeta | null): Identifier {
  const meta = metas?.get(id)
  return meta ? { type: schema.type, id, meta } : { type: schema.type, id }
}

/** `metas`: what the links to the targets say, where they are rows of their own. */
export function linkage(targets: Resource | null | readonly Resource[], metas: PivotMeta | null = null): Linkage {
  if (targets === null) return null
  return isMany(targets) ? targets.map((target) => identifier(target, metas)) : identifier(targets, metas)
}

/** The same as JSON. */
export function linkageText(targets: Resource | null | readonly Resource[], metas: PivotMeta | null): string {
  if (targets === null) return 'null'
  if (!isMany(targets)) return identifierText(targets, metas)
  let text = ''
  for (const target of targets) text += `,${identifierText(target, metas)}`
  return `[${text.slice(1)}]`
}

// Nothing in the name of a type has to be escaped: the registry sees to that.
function identifierText(target: Resource, metas: PivotMeta | null): string {
  if (metas?.has(target.id)) return JSON.stringify(identifier(target, metas))
  return `{"type":"${target.schema.type}","id":${JSON.stringify(target.id)}}`
}

export const isMany = (targets: Resource | readonly Resource[]): targets is readonly Resource[] =>
  Array.isArray(targets)
