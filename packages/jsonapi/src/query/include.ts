import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '../schema/resource-schema.ts'
import { mapAll } from './failures.ts'
import type { IncludeTree } from './query.ts'
import type { CheckContext } from './query-context.ts'

/** What the first name of an include path may be: a relation of the primary data, or the relation that is read. */
export type IncludeRoot = readonly Relation[]

export const rootOf = (schemas: readonly ResourceSchema[]): IncludeRoot =>
  schemas.flatMap((schema) => [...schema.relations.values()])

interface Tree extends Map<string, Tree> {}

const noInclude: IncludeTree = new Map()

/**
 * In: a comma list of paths. Out: the relations that they name, as a tree; every path brings those before its end.
 *
 * @throws JsonApiError 400 for every path that a relation of it is missing from or kept out of, for one that is too
 * deep, and for too many of them.
 */
export function checkInclude(value: string, root: IncludeRoot, check: CheckContext): IncludeTree {
  if (value === '') return noInclude
  const tree: Tree = new Map()
  const paths = [...new Set(value.split(','))]
  const { includePaths } = check.limits
  if (paths.length > includePaths) {
    throw badParameter('include', say`The parameter include must not have more than ${includePaths} paths.`)
  }
  mapAll(paths, (path) => {
    const names = path.split('.')
    checkPath(path, names, root, check)
    names.reduce(branchOf, tree)
  })
  return tree
}

function checkPath(path: string, names: readonly string[], root: IncludeRoot, check: CheckContext): void {
  const { includeDepth } = check.limits
  if (names.length > includeDepth) {
    throw badParameter('include', say`Include path ${path} is not allowed: it has more than ${includeDepth} relations.`)
  }
  if (relationsAt(names, root, check.registry).length === 0) {
    throw badParameter('include', say`Include path ${path} is not allowed.`)
  }
}

/**
 * The relations that an include path ends with: several where it
 * crosses a polymorphic one, none where it leads nowhere.
 */
export function relationsAt(names: readonly string[], root: IncludeRoot, registry: SchemaRegistry): IncludeRoot {
  const [name, ...rest] = names
  const named = root.filter((relation) => relation.name === name && relation.isIncludable)
  if (rest.length === 0) return named
  return relationsAt(rest, rootOf(named.flatMap((relation) => targetSchemas(registry, relation))), registry)
}

function branchOf(tree: Tree, name: string): Tree {
  const known = tree.get(name)
  if (known) return known
  const branch: Tree = new Map()
  tree.set(name, branch)
  return branch
}
