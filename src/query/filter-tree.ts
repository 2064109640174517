import { readCondition } from '../condition/parse.ts'
import { prismaWhere } from '../condition/prisma.ts'
import { twoValued } from '../condition/two-valued.ts'
import type { ModelMeta } from '../model/meta.ts'
import { every, scopeOf, type Where } from '../model/where.ts'
import type { Link } from '../schema/relation-kinds.ts'
import type { CheckContext } from './check-context.ts'
import type { Hop } from './filter-path.ts'

/** The conditions of one group, by the relations that they cross: those that share a way meet on the same row there. */
export interface FilterNode {
  readonly model: string
  readonly isDenied: boolean
  readonly leaves: Leaf[]
  readonly branches: Map<string, FilterBranch>
}

interface Leaf {
  readonly name: string
  readonly where: Where
}

interface FilterBranch {
  readonly hop: Hop
  readonly node: FilterNode
}

/** `isDenied`: the conditions stand under a NOT, with no EXISTS between. */
export const newNode = (model: string, isDenied: boolean): FilterNode => ({
  model,
  isDenied,
  leaves: [],
  branches: new Map(),
})

/** The node that the relations lead to; made where no condition went there before. */
export const nodeAt = (root: FilterNode, hops: readonly Hop[]): FilterNode => hops.reduce(nodeBehind, root)

function nodeBehind(from: FilterNode, hop: Hop): FilterNode {
  const name = `${hop.relation.field} ${hop.quantifier}`
  const known = from.branches.get(name)
  if (known) return known.node
  const node = newNode(hop.relation.model, isDeniedBehind(from, hop))
  from.branches.set(name, { hop, node })
  return node
}

function isDeniedBehind(from: FilterNode, { quantifier }: Hop): boolean {
  if (quantifier === 'is') return from.isDenied
  // "Every row meets it" is "there is no row that does not".
  return quantifier === 'every'
}

/** The node's conditions as one, in an order that does not depend on the order in which they were sent. */
export function toWhere({ leaves, branches, isDenied }: FilterNode, check: CheckContext): Where {
  const conditions = [
    ...leaves,
    ...[...branches].map(
      ([name, { hop, node }]): Leaf => ({ name, where: crossing(hop, toWhere(node, check), { isDenied, check }) }),
    ),
  ]
  return every(...conditions.sort(byName).map(({ where }) => where))
}

const byName = (a: Leaf, b: Leaf): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** What is known of a relation that a condition crosses: Prisma's name for it, where it leads, and what lies between. */
export interface Crossed extends Pick<Hop['relation'], 'field' | 'model'> {
  readonly link?: Link
}

interface Crossing {
  readonly relation: Crossed
  readonly quantifier: Hop['quantifier']
}

interface Standing {
  readonly isDenied: boolean
  readonly check: CheckContext
}

/** A condition on the other side of a relation, for none but the rows there that this request may see. */
export function crossing({ relation, quantifier }: Crossing, where: Where, { isDenied, check }: Standing): Where {
  const { field, model, link } = relation
  const scope = scopeOf(check.scopes, model)
  if (link) return crossingLinks(link, quantifier, { where, scope, check })
  const isScoped = Object.keys(scope).length > 0
  if (quantifier === 'is') {
    const seen = isScoped && isDenied ? neverUnknown(scope, model, check) : scope
    return { [field]: { is: every(seen, where) } }
  }
  if (quantifier === 'every' && isScoped) return { [field]: { none: every(scope, { NOT: where }) } }
  return { [field]: { [quantifier]: every(scope, where) } }
}

// A scope under a NOT must not be NULL for a hidden row: see `twoValued`.
function neverUnknown(scope: Where, model: string, { resources: { models } }: CheckContext): Where {
  const meta = models[model] as ModelMeta
  return prismaWhere(twoValued(readCondition(scope, meta, models)), meta)
}

interface BehindLinks {
  readonly where: Where
  readonly scope: Where
  readonly check: CheckContext
}

/** Through links, of which none that is hidden may lead anywhere. */
function crossingLinks(link: Link, quantifier: Hop['quantifier'], { where, scope, check }: BehindLinks): Where {
  const isEvery = quantifier === 'every'
  const far = { [link.to.name]: { is: every(scope, isEvery ? { NOT: where } : where) } }
  return { [link.list]: { [isEvery ? 'none' : quantifier]: every(scopeOf(check.scopes, link.model), far) } }
}
