import { pluralize } from 'inflection'
import type { ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import { fieldName, lowerFirst, upperFirst } from './naming.ts'
import { pluralName, singularName } from './nouns.ts'

type Models = Resources['models']

/**
 * A many-to-many relation with a join model that the Prisma schema declares (the pivot). The id of a pivot consists of
 * the foreign keys of two relations, and each of its rows links two resources. Names are those of the Prisma schema.
 */
export interface JoinModelRelation {
  /** The name of the relation to the far end: the plural of what the pivot calls it. */
  readonly name: string
  /** The name that version 0.1 gave it. */
  readonly former: string
  /** The model of the pivots. */
  readonly pivot: string
  /** This model's list of pivots. */
  readonly list: string
  /** The pivot's relations to this side and to the far one. */
  readonly from: OwnedRelation
  readonly to: OwnedRelation
  /** The far model's relation to its pivots: to one where the foreign key of its end is unique. */
  readonly inverse: RelationMeta
}

type OwnedRelation = RelationMeta & { readonly foreignKey: NonNullable<RelationMeta['foreignKey']> }

/** The relations that a model has through pivots, each under a name that is free. */
export function joinModelRelations(model: ModelMeta, models: Models): readonly JoinModelRelation[] {
  const found = Object.values(model.relations).flatMap((list) => joinModelRelation(list, models) ?? [])
  const fields = [...Object.keys(model.columns), ...Object.keys(model.relations)]
  const served = fields.map((field) => fieldName(model.name, field, (name) => fields.includes(name)))
  const taken = new Set([...fields, ...served])
  const formerlyTaken = new Set(fields)
  return found.map((each) => {
    const far = pluralName(each.to.name)
    const byModel = prefixed(lowerFirst(model.name), far)
    const isOnly = found.every((other) => other === each || pluralName(other.to.name) !== far)
    const byList = prefixed(singularName(each.list), far)
    const name = freeName(isOnly ? [far, byModel, byList] : [far, byList], taken)
    const formerFar = pluralize(each.to.name)
    const former = freeName([formerFar, prefixed(lowerFirst(model.name), formerFar)], formerlyTaken)
    taken.add(name)
    formerlyTaken.add(former)
    return { ...each, name, former }
  })
}

function joinModelRelation(list: RelationMeta, models: Models): Omit<JoinModelRelation, 'name' | 'former'> | null {
  const pivot = models[list.model]
  if (!list.isList || list.join || !pivot) return null
  const [one, other, ...more] = keyRelations(pivot)
  if (!one || !other || more.length > 0) return null
  const [from, to] = list.inverse === one.name ? [one, other] : [other, one]
  const inverse = to.inverse === null ? undefined : models[to.model]?.relations[to.inverse]
  if (from.name !== list.inverse || !inverse) return null
  return { pivot: pivot.name, list: list.name, from, to, inverse }
}

/** The relations whose foreign keys make up the id. Empty if the id has another column, or two relations share one. */
function keyRelations({ key, relations }: ModelMeta): readonly OwnedRelation[] {
  const owned = Object.values(relations).filter((each): each is OwnedRelation => each.foreignKey !== null)
  const inKey = owned.filter(({ foreignKey }) => foreignKey.columns.every((column) => key.includes(column)))
  const columns = inKey.flatMap(({ foreignKey }) => foreignKey.columns)
  return columns.length === key.length && new Set(columns).size === key.length ? inKey : []
}

const prefixed = (prefix: string, name: string): string => `${prefix}${upperFirst(name)}`

// Prisma's documentation gives the list of pivots the name that the far end would have.
function freeName(candidates: readonly string[], taken: ReadonlySet<string>): string {
  let name = candidates.find((candidate) => !taken.has(candidate)) ?? candidates.at(-1) ?? ''
  while (taken.has(name)) name += '2'
  return name
}
