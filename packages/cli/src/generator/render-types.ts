import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { isAttribute, secretAccess } from '@prismapi/jsonapi/schema/attributes'
import { joinModelRelations } from '@prismapi/jsonapi/schema/join-model'
import { quoted, union } from './literal.ts'
import { renderData, renderEnum, renderRow, renderWhere } from './render-rows.ts'

/** What the interfaces use of prismapi's types. */
export interface RenderedTypes {
  readonly source: string
  readonly imports: readonly string[]
}

/** What the types say of a relation: one of Prisma's, or one that leads through the rows of a model between. */
type Named = Pick<RelationMeta, 'name' | 'model' | 'isList'>

/** The `Models` interface, its augmentation of `Register`, and the types of each model and enum. */
export function renderTypes(
  { provider, models: all, enums }: Pick<Resources, 'provider' | 'models' | 'enums'>,
  searchesTexts: boolean,
): RenderedTypes {
  const models = Object.values(all).filter(({ isHidden }) => !isHidden)
  const served = Object.fromEntries(models.map((model) => [model.name, model]))
  const relationsOf = (model: ModelMeta): readonly Named[] => [
    ...Object.values(model.relations),
    ...joinModelRelations(model, served).map(({ name, to }) => ({ name, model: to.model, isList: true })),
  ]
  const relations = models.flatMap(relationsOf)
  const imports = [
    ...(relations.some((relation) => relation.isList) ? ['LazyToMany'] : []),
    ...(relations.some((relation) => !relation.isList) ? ['LazyToOne'] : []),
    ...(models.length > 0 ? ['PolicyAnswer', 'User'] : []),
  ]
  // Without models neither the client nor what columns are compared by is imported.
  const clients =
    models.length > 0 ? '    client: client.PrismaClient\n    transaction: client.Prisma.TransactionClient\n' : ''
  const database = `    provider: ${quoted(provider)}\n${searchesTexts ? '    searchesTexts: true\n' : ''}`
  const entries = models.map(({ name }) => `  ${name}: ${name}Types\n`)
  const source = [
    `export interface Models {\n${entries.join('')}}\n`,
    `declare module 'prismapi' {\n  interface Register {\n    models: Models\n${database}${clients}  }\n}\n`,
    ...reachedFrom(models, all).flatMap((model) => [
      ...(model.isHidden ? [] : [renderModel(model, relationsOf(model)), renderPolicy(model, relationsOf(model))]),
      renderRow(model),
      renderWhere(model),
      ...(!model.isHidden && canCreate(model) ? [renderData(model)] : []),
    ]),
    ...Object.values(enums).map(({ name, values }) => renderEnum(name, values)),
  ]
  return { source: source.join('\n'), imports }
}

/** The models, and hidden ones that their conditions lead to: hidden from clients, not from policies. */
function reachedFrom(models: readonly ModelMeta[], all: Resources['models']): readonly ModelMeta[] {
  const reached = new Set(models)
  for (const { relations } of reached)
    for (const { model } of Object.values(relations)) reached.add(all[model] as ModelMeta)
  return [...reached]
}

const canCreate = ({ operations }: ModelMeta): boolean => operations.includes('create')

function renderModel(model: ModelMeta, relations: readonly Named[]): string {
  const { name } = model
  return `export interface ${name}Types {
  row: ${name}Row
  where: ${name}Where
  data: ${canCreate(model) ? `${name}Data` : 'never'}
  column: ${union(Object.keys(model.columns))}
  attribute: ${union(attributesOf(model))}
  relation: ${union(relations.map((relation) => relation.name))}
  toOne: ${targets(relations.filter((relation) => !relation.isList))}
  toMany: ${targets(relations.filter((relation) => relation.isList))}
  policy: ${name}PolicyMethods
}
`
}

const attributesOf = (model: ModelMeta): readonly string[] =>
  Object.values(model.columns)
    .filter((column) => isAttribute(model, column) && !column.hidden && secretAccess(model, column) !== 'hidden')
    .map(({ name }) => name)

function renderPolicy(model: ModelMeta, relations: readonly Named[]): string {
  const user = 'user: User | null'
  const row = `${user}, row: ${model.name}Row`
  const methods: (readonly [name: string, parameters: string])[] = [
    ['viewAny', user],
    ['create', user],
    ['view', row],
    ['update', row],
    ['delete', row],
    ...relations.flatMap((relation) => relationMethods(relation, row)),
  ]
  // The relations `any`, or `tags` beside `Tags`, name a method that is there already: one name, one decision.
  const first = new Map([...methods].reverse())
  const names = [...new Set(methods.map(([name]) => name))]
  const body = names.map((name) => `  ${name}?(${first.get(name)}): PolicyAnswer\n`)
  return `export interface ${model.name}PolicyMethods {\n${body.join('')}}\n`
}

function relationMethods({ name, model, isList }: Named, row: string): (readonly [string, string])[] {
  const suffix = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const value = `${row}, value: ${isList ? 'LazyToMany' : 'LazyToOne'}<${model}Row>`
  const writes = isList ? ['update', 'attach', 'detach'] : ['update']
  return [[`view${suffix}`, row], ...writes.map((verb) => [`${verb}${suffix}`, value] as const)]
}

const targets = (relations: readonly Named[]): string =>
  relations.length === 0 ? '{}' : `{ ${relations.map(({ name, model }) => `${name}: ${quoted(model)}`).join('; ')} }`
