import { pluralize } from 'inflection'
import type { ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import { lowerFirst, upperFirst } from './naming.ts'

type Models = Resources['models']

/**
 * A many-to-many that people made themselves: the rows of a model whose id is nothing but the foreign keys of two
 * relations link those two. Names are Prisma's.
 */
export interface Through {
  /** The name of the relation to the far end: the plural of what the link calls it. */
  readonly name: string
  /** The model of the links. */
  readonly link: string
  /** This model's list of links. */
  readonly list: string
  /** The link's relations to this side and to the far one. */
  readonly from: OwnedRelation
  readonly to: OwnedRelation
  /** The far model's list of links. */
  readonly inverse: string
}

type OwnedRelation = RelationMeta & { readonly foreignKey: NonNullable<RelationMeta['foreignKey']> }

/** The relations that a model has through links, each under a name that is free. */
export function throughsOf(model: ModelMeta, models: Models): readonly Through[] {
  const taken = new Set([...Object.keys(model.columns), ...Object.keys(model.relations)])
  return Object.values(model.relations).flatMap((list) => {
    const found = throughOf(list, models)
    if (!found) return []
    const name = freeName(model.name, pluralize(found.to.name), taken)
    taken.add(name)
    return [{ ...found, name }]
  })
}

function throughOf(list: RelationMeta, models: Models): Omit<Through, 'name'> | null {
  const link = models[list.model]
  if (!list.isList || list.join || !link) return null
  const [one, other, ...more] = keyRelations(link)
  if (!one || !other || more.length > 0) return null
  const [from, to] = list.inverse === one.name ? [one, other] : [other, one]
  if (from.name !== list.inverse || to.inverse === null) return null
  return { link: link.name, list: list.name, from, to, inverse: to.inverse }
}

/** The relations whose foreign keys are parts of the id, where there is nothing else in it and no part belongs to two. */
function keyRelations({ key, relations }: ModelMeta): readonly OwnedRelation[] {
  const owned = Object.values(relations).filter((each): each is OwnedRelation => each.foreignKey !== null)
  const inKey = owned.filter(({ foreignKey }) => foreignKey.columns.every((column) => key.includes(column)))
  const columns = inKey.flatMap(({ foreignKey }) => foreignKey.columns)
  return columns.length === key.length && new Set(columns).size === key.length ? inKey : []
}

// Prisma's documentation gives the list of links the name that the far end would have.
function freeName(model: string, wanted: string, taken: ReadonlySet<string>): string {
  let name = taken.has(wanted) ? `${lowerFirst(model)}${upperFirst(wanted)}` : wanted
  while (taken.has(name)) name += '2'
  return name
}
