import type { IncludeTree } from '../query/query.ts'
import type { Resource } from '../read/resource.ts'
import { isMany } from './linkage.ts'

/** The resources that the include tree leads to, each once, without the primary ones. */
export function includedResources(primary: readonly Resource[], tree: IncludeTree): readonly Resource[] {
  const found = new Set<Resource>()
  for (const resource of primary) collect(resource, tree, found)
  for (const resource of primary) found.delete(resource)
  return [...found]
}

function collect(resource: Resource, tree: IncludeTree, found: Set<Resource>): void {
  for (const [name, subtree] of tree) {
    const targets = resource.related?.get(name)
    if (!targets) continue
    for (const target of isMany(targets) ? targets : [targets]) {
      found.add(target)
      collect(target, subtree, found)
    }
  }
}
