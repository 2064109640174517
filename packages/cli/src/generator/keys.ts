import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { isCodeOfTable, isSecret } from '@prismapi/jsonapi/schema/secrets'
import type { DMMF } from '../prisma/schema-description.ts'

type Keys = Pick<ModelMeta, 'key' | 'keyName' | 'uniques' | 'indexes'>

interface Unique {
  readonly fields: readonly string[]
  /** As written in `@@id(name:)` or `@@unique(name:)`. */
  readonly name: string | null
}

/** What tells the rows of a model apart, and what puts them in order. `indexes` are those of this model. */
export function toKeys(model: DMMF.Model, indexes: readonly DMMF.Index[]): Keys {
  const fields = new Map(model.fields.map((field) => [field.name, field]))
  const uniques = distinct(allUniques(model).filter((unique) => unique.fields.every((name) => fields.has(name))))
  const canIdentify = (name: string) => fields.get(name)?.isRequired === true && fields.get(name)?.isList === false
  const foreign = new Set(model.fields.flatMap(({ relationFromFields }) => relationFromFields ?? []))
  const tells = (name: string) => {
    const field = fields.get(name)
    const isEnum = field?.kind === 'enum'
    return isSecret(model.name, { name, type: field?.type ?? '', isEnum, isForeignKey: foreign.has(name) })
  }
  const identifying = uniques.filter((unique) => unique.fields.every(canIdentify))
  // Ids stand in URLs and logs: one that tells no secret is taken, where there is one.
  const columns = model.fields.filter(({ kind }) => kind !== 'object').map(({ name }) => name)
  const tellsNone = (unique: Unique) => isCodeOfTable(unique.fields, columns) || !unique.fields.some(tells)
  const key = identifying.find(tellsNone) ?? identifying[0]
  const ordering = indexes.map((index) => ({ fields: orderedFields(index, fields), name: null }))
  return {
    key: key?.fields ?? [],
    keyName: key && key.fields.length > 1 ? (key.name ?? key.fields.join('_')) : null,
    uniques: uniques.map((unique) => unique.fields),
    indexes: distinct([...uniques, ...ordering.filter((index) => index.fields.length > 0)]).map(
      (index) => index.fields,
    ),
  }
}

/** The primary key first, then single fields, then several. Partial uniques are not among what Prisma lists here. */
function allUniques(model: DMMF.Model): Unique[] {
  const single = (field: DMMF.Field): Unique => ({ fields: [field.name], name: null })
  return [
    ...(model.primaryKey ? [model.primaryKey] : []),
    ...model.fields.filter((field) => field.isId).map(single),
    ...model.fields.filter((field) => field.isUnique).map(single),
    ...model.uniqueIndexes,
  ]
}

/** The fields that an index puts in order: none of a hash, and none from a prefix or an order of its own on. */
function orderedFields(index: DMMF.Index, fields: ReadonlyMap<string, DMMF.Field>): string[] {
  if (index.type !== 'normal' || (index.algorithm ?? 'BTree') !== 'BTree') return []
  const isPlain = (field: DMMF.IndexField) =>
    fields.has(field.name) && field.length == null && field.operatorClass == null
  const end = index.fields.findIndex((field) => !isPlain(field))
  return index.fields.slice(0, end < 0 ? undefined : end).map((field) => field.name)
}

function distinct(lists: readonly Unique[]): Unique[] {
  const seen = new Map<string, Unique>()
  for (const list of lists) {
    const id = list.fields.join()
    if (!seen.has(id)) seen.set(id, list)
  }
  return [...seen.values()]
}
