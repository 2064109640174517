import type { Identifier, Linkage } from '../document/types.ts'
import type { LinkMeta } from '../store/link-meta.ts'
import type { Resource } from '../store/resource.ts'

function identifier({ schema, id }: Resource, metas: LinkMeta | null): Identifier {
  const meta = metas?.get(id)
  return meta ? { type: schema.type, id, meta } : { type: schema.type, id }
}

/** `metas`: what the links to the targets say, where they are rows of their own. */
export function linkage(targets: Resource | null | readonly Resource[], metas: LinkMeta | null = null): Linkage {
  if (targets === null) return null
  return isMany(targets) ? targets.map((target) => identifier(target, metas)) : identifier(targets, metas)
}

export const isMany = (targets: Resource | readonly Resource[]): targets is readonly Resource[] =>
  Array.isArray(targets)
