import type { OrderTerm } from '../condition/order-term.ts'
import type { ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import { checkDeprecation, type Deprecation } from './deprecation.ts'
import { checkName, type TakenNames } from './filters.ts'

/**
 * A sort that stands for no field; `this.sort('popularity', '-comments.count')` of a schema class makes it.
 *
 * @see https://jsonapi.org/format/#fetching-sorting
 */
export interface DeclaredSort {
  /** In URLs: `sort=<name>`. */
  readonly name: string
  /** Columns and numbers of related rows, `-` before those that descend. */
  readonly terms: readonly string[]
  /** It will be gone: answers to requests that sort by it say so. */
  readonly deprecated?: Deprecation
}

/** A sort that stands for no field: the order for `sort=<name>`; `-` turns every term round. Frozen. */
export interface Sort {
  readonly order: readonly OrderTerm[]
  /** The models whose rows the order depends on. Each of them may have a scope, which narrows what is sorted by. */
  readonly crosses: readonly string[]
  /** Null where the schema class does not announce its end. */
  readonly deprecation: Deprecation | null
}

/** @throws {Error} for a name that is taken, and a term that leads to no column and no number of related rows. */
export function compileSorts(
  declared: readonly DeclaredSort[],
  { model, resources, taken }: { model: ModelMeta; resources: Resources; taken: TakenNames },
): ReadonlyMap<string, Sort> {
  const sorts = new Map<string, Sort>()
  for (const { name, terms, deprecated } of declared) {
    const what = `sort('${name}') of ${model.name}`
    checkName(what, name, (each) => taken.has(each) || sorts.has(each))
    if (terms.length === 0) throw new Error(`${what}: it orders by nothing. Name columns: this.sort('${name}', '…').`)
    const ways = terms.map((term) => wayOf(term, model, { resources, what }))
    sorts.set(
      name,
      Object.freeze({
        order: ways.map(({ path }, i) => ({ path, direction: terms[i]?.startsWith('-') ? 'desc' : 'asc' })),
        crosses: ways.flatMap(({ crosses }) => crosses),
        deprecation: checkDeprecation(`${what}: deprecated`, deprecated),
      } satisfies Sort),
    )
  }
  return sorts
}

interface Way {
  readonly path: readonly string[]
  readonly crosses: readonly string[]
}

function wayOf(term: string, model: ModelMeta, { resources, what }: { resources: Resources; what: string }): Way {
  const names = term.replace(/^-/, '').split('.')
  const last = names.pop() as string
  const crosses: string[] = []
  let at = model
  let isMany = false
  for (const name of names) {
    const relation: RelationMeta | undefined = isMany ? undefined : at.relations[name]
    const target = relation && resources.models[relation.model]
    if (!target) throw new Error(`${what}: ${term} leads nowhere. ${cureOf(at)}`)
    crosses.push(target.name)
    isMany = relation.isList
    at = target
  }
  if (isMany && last === 'count') return { path: [...names, '_count'], crosses }
  const column = isMany ? undefined : at.columns[last]
  if (!column || column.isList || column.type === 'Json' || column.type === 'Bytes')
    throw new Error(`${what}: ${term} is nothing to order by. ${cureOf(at)}`)
  return { path: [...names, last], crosses }
}

const cureOf = ({ name, columns, relations }: ModelMeta): string =>
  `Name a column of ${name} (${Object.keys(columns).join(', ')}), of a to-one relation ("author.name"), or the number of a to-many relation's rows ("comments.count"); its relations are ${Object.keys(relations).join(', ') || 'none'}.`
