import type { EnumMeta, ModelMeta, ModelOperation, Provider, Resources } from '@prismapi/jsonapi/model/meta'
import type { DMMF } from '../prisma/schema-description.ts'
import { parseComment } from './annotations.ts'
import { modelOperations } from './blocks.ts'
import { toColumn } from './columns.ts'
import { toConstraints } from './constraints.ts'
import { toKeys } from './keys.ts'
import { foreignKeyColumns, type Neighbourhood, toRelation } from './relations.ts'

export interface DmmfOptions {
  readonly provider: Provider
  /** The schema's text, of all its files. */
  readonly schema: string
  /** The files of a folder have no order of their own, so the models of one are sorted by name. */
  readonly order: 'schema' | 'name'
}

interface Context extends Neighbourhood {
  readonly indexes: ReadonlyMap<string, readonly DMMF.Index[]>
  readonly operations: ReadonlyMap<string, readonly ModelOperation[]>
}

/** Prisma's description of a schema → ours. Ignored and `Unsupported` fields are not in it. */
export function toResources(datamodel: DMMF.Datamodel, { provider, schema, order }: DmmfOptions): Resources {
  const models = inOrder(datamodel.models, order)
  const context: Context = {
    provider,
    models: new Map(models.map((model) => [model.name, model])),
    indexes: byModel(datamodel.indexes),
    operations: modelOperations(schema),
  }
  return {
    provider,
    ...(emulates.test(schema) && { emulatesRelations: true }),
    models: named(models.map((model) => toModel(model, context))),
    enums: named(inOrder(datamodel.enums, order).map(toEnum)),
  }
}

const emulates = /^[ \t]*relationMode[ \t]*=[ \t]*"prisma"/m

function toModel(model: DMMF.Model, context: Context): ModelMeta {
  const foreignKeys = foreignKeyColumns(model)
  const columns = model.fields.filter((field) => field.kind === 'scalar' || field.kind === 'enum')
  const relations = model.fields.filter((field) => field.kind === 'object')
  const { text, annotations } = parseComment(model.documentation)
  return {
    name: model.name,
    ...(annotations.has('hidden') && { isHidden: true as const }),
    table: model.dbName ?? model.name,
    dbSchema: model.schema,
    documentation: text,
    operations: context.operations.get(model.name) ?? ['read'],
    ...toKeys(model, context.indexes.get(model.name) ?? []),
    constraints: toConstraints(model, context.indexes.get(model.name) ?? [], context.provider),
    columns: named(columns.map((field) => toColumn(field, context.provider, foreignKeys.has(field.name)))),
    relations: named(relations.map((field) => toRelation(model, field, context))),
  }
}

function toEnum({ name, values }: DMMF.DatamodelEnum): EnumMeta {
  const stored = values.flatMap((value) => (value.dbName == null ? [] : [[value.name, value.dbName] as const]))
  return { name, values: values.map((value) => value.name), stored: Object.fromEntries(stored) }
}

function byModel(indexes: readonly DMMF.Index[]): ReadonlyMap<string, DMMF.Index[]> {
  const lists = new Map<string, DMMF.Index[]>()
  for (const index of indexes) {
    const list = lists.get(index.model)
    if (list) list.push(index)
    else lists.set(index.model, [index])
  }
  return lists
}

const named = <T extends { readonly name: string }>(items: readonly T[]): Readonly<Record<string, T>> =>
  Object.fromEntries(items.map((item) => [item.name, item]))

function inOrder<T extends { readonly name: string }>(items: readonly T[], order: DmmfOptions['order']): readonly T[] {
  return order === 'schema' ? items : [...items].sort((a, b) => (a.name < b.name ? -1 : 1))
}
