import type { ModelMeta, RelationMeta } from '../model/meta.ts'
import { throughsOf } from '../schema/through.ts'
import { quoted } from './literal.ts'

/** What the interfaces use of prismapi's types. */
export interface RenderedTypes {
  readonly source: string
  readonly imports: readonly string[]
}

/** What the types say of a relation: one of Prisma's, or one that leads through the rows of a model between. */
type Named = Pick<RelationMeta, 'name' | 'model' | 'isList'>

/** The `Models` interface, its augmentation of `Register` and, for each model, two interfaces. */
export function renderTypes(models: readonly ModelMeta[]): RenderedTypes {
  const named = Object.fromEntries(models.map((model) => [model.name, model]))
  const relationsOf = (model: ModelMeta): readonly Named[] => [
    ...Object.values(model.relations),
    ...throughsOf(model, named).map(({ name, to }) => ({ name, model: to.model, isList: true })),
  ]
  const relations = models.flatMap(relationsOf)
  const imports = [
    ...(relations.some((relation) => relation.isList) ? ['LazyToMany'] : []),
    ...(relations.some((relation) => !relation.isList) ? ['LazyToOne'] : []),
    ...(models.length > 0 ? ['PolicyAnswer', 'User'] : []),
  ]
  // Without models the client is not imported.
  const clients =
    models.length > 0 ? '    client: client.PrismaClient\n    transaction: client.Prisma.TransactionClient\n' : ''
  const entries = models.map(({ name }) => `  ${name}: ${name}Types\n`)
  const source = [
    `export interface Models {\n${entries.join('')}}\n`,
    `declare module 'prismapi' {\n  interface Register {\n    models: Models\n${clients}  }\n}\n`,
    ...models.flatMap((model) => [renderModel(model, relationsOf(model)), renderPolicy(model, relationsOf(model))]),
  ]
  return { source: source.join('\n'), imports }
}

// `CreateMany` is Prisma's one input of scalars and foreign keys alone; a model that cannot be created has none.
function renderModel(model: ModelMeta, relations: readonly Named[]): string {
  const { name } = model
  return `export interface ${name}Types {
  row: client.${name}
  where: client.Prisma.${name}WhereInput
  data: ${model.operations.includes('create') ? `client.Prisma.${name}CreateManyInput` : 'never'}
  column: ${union(Object.keys(model.columns))}
  relation: ${union(relations.map((relation) => relation.name))}
  toOne: ${targets(relations.filter((relation) => !relation.isList))}
  toMany: ${targets(relations.filter((relation) => relation.isList))}
  policy: ${name}PolicyMethods
}
`
}

function renderPolicy(model: ModelMeta, relations: readonly Named[]): string {
  const user = 'user: User | null'
  const row = `${user}, row: client.${model.name}`
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
  const value = `${row}, value: ${isList ? 'LazyToMany' : 'LazyToOne'}<client.${model}>`
  const writes = isList ? ['update', 'attach', 'detach'] : ['update']
  return [[`view${suffix}`, row], ...writes.map((verb) => [`${verb}${suffix}`, value] as const)]
}

const union = (names: readonly string[]): string => (names.length === 0 ? 'never' : names.map(quoted).join(' | '))

const targets = (relations: readonly Named[]): string =>
  relations.length === 0 ? '{}' : `{ ${relations.map(({ name, model }) => `${name}: ${quoted(model)}`).join('; ')} }`
