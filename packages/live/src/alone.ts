import type { Resource } from '@prismapi/core/read/resource'
import { isMany } from '@prismapi/core/serialize/resource-text'
import type { IncludeTree } from '@prismapi/jsonapi/query/query'

type Targets = Resource | null | readonly Resource[]

/**
 * A resource as if it had been read by itself. Resources that are read together share their included resources: this
 * one keeps only the relations of these that the include tree leads to from here.
 */
export function alone(resource: Resource, tree: IncludeTree): Resource {
  if (tree.size === 0) return resource
  const names = new Map<Resource, Set<string>>()
  note(resource, tree, names)
  const copies = new Map([...names.keys()].map((each) => [each, { ...each }]))
  const copyOf = (each: Resource): Resource => copies.get(each) ?? each
  for (const [each, copy] of copies) {
    const own = names.get(each) as ReadonlySet<string>
    const related = kept<Targets>(each.related, own)
    copy.related = related && new Map([...related].map(([name, targets]) => [name, mapped(targets, copyOf)]))
    copy.pages = kept(each.pages, own)
    copy.pivotMeta = kept(each.pivotMeta, own)
    if (each !== resource) copy.counts = null
  }
  return copyOf(resource)
}

function note(resource: Resource, tree: IncludeTree, names: Map<Resource, Set<string>>): void {
  const own = names.get(resource) ?? new Set()
  names.set(resource, own)
  for (const [name, subtree] of tree) {
    own.add(name)
    const targets = resource.related?.get(name) ?? []
    for (const target of isMany(targets) ? targets : [targets]) note(target, subtree, names)
  }
}

function kept<Value>(all: ReadonlyMap<string, Value> | null, names: ReadonlySet<string>): Map<string, Value> | null {
  const some = [...(all ?? [])].filter(([name]) => names.has(name))
  return some.length > 0 ? new Map(some) : null
}

const mapped = (targets: Targets, copyOf: (each: Resource) => Resource): Targets => {
  if (targets === null) return null
  return isMany(targets) ? targets.map(copyOf) : copyOf(targets)
}
