import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import { conflict, invalidField } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Identifier, Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { BelongsTo, MorphTo, Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { keyText } from '../database/reader.ts'
import type { RelatedRows } from '../read/find.ts'
import type { LinkChange } from './links/link-change.ts'
import type { Subject } from './write-context.ts'

/** What fills a row: validated, by the names that documents use. */
export interface WriteInput {
  readonly id: string | null
  readonly attributes: ReadonlyMap<string, unknown>
  readonly relationships: ReadonlyMap<string, Linkage>
  /** Relations of a new row that lead to itself; left out where none does. */
  readonly toItself?: ReadonlySet<string>
  /** What becomes of links that are kept in other rows: planned, and permitted. */
  readonly links: readonly LinkChange[]
  /** Columns that were set before the transaction began. */
  readonly columns?: Row
  /** All columns of the row, if its hooks filled them before the transaction began; left out, they fill them inside. */
  readonly filled?: Row
}

export const inputOf = ({ attributes }: WriteInput): Row => Object.freeze(Object.fromEntries(attributes))

/** What a PATCH of a relationship, which fills nothing else, is about. */
export function aboutRelation({ attributes, relationships }: WriteInput) {
  const [only, ...rest] = relationships
  if (!only || rest.length > 0 || attributes.size > 0) return {}
  return { relation: only[0], identifiers: identifiersOf(only[1]) }
}

function idColumns(schema: ResourceSchema, id: string | null): Row {
  if (id === null) return {}
  return schema.id.parse(id) ?? {}
}

/** The columns of a new row, its id among them where the client gives one. */
export async function newColumns(subject: Subject, input: WriteInput): Promise<Row> {
  const { schema } = subject
  const columns = { ...(await ownColumns(subject, null, input)), ...idColumns(schema, input.id) }
  const keys = [...(input.toItself ?? [])].map((name) => keyToItself(schema, name, columns))
  return Object.assign(columns, ...keys)
}

/** Relations that lead to the new row itself, by columns that are not known before it is there. */
export const laterToItself = (schema: ResourceSchema, input: WriteInput): readonly string[] => {
  const known = knownColumns(schema, input)
  return [...(input.toItself ?? [])].filter((name) => {
    const key = keyToItself(schema, name, known)
    return key === null || Object.keys(key).length === 0
  })
}

/** The columns of the row itself: attributes, and the foreign keys of relations that lie on this side. */
export async function ownColumns({ ctx, schema, related }: Subject, row: Row | null, input: WriteInput): Promise<Row> {
  const columns: Record<string, unknown> = {}
  const settings = new Map<string, Row>()
  for (const [name, value] of input.attributes) {
    if (name === schema.deletedAtAttribute && value !== null) throw onlyRestored(name)
    const { column } = schema.attributes.get(name) as Attribute
    if (column) columns[column.name] = value
    // What is a part of relations, too, must not contradict them.
    if (column?.isForeignKey) settings.set(column.name, { [column.name]: value })
  }
  const registry = ctx.server.schemas
  for (const [relation, linkage] of relationsOf(schema, input)) {
    const keys = await foreignKeys({ registry, relation, linkage }, related)
    // What is cleared does not take a column away from what is set.
    for (const [column, value] of Object.entries(keys)) columns[column] = value ?? columns[column] ?? null
    if (relation.kind === 'belongsTo') settings.set(relation.field, keys)
  }
  const clash = findClash(schema, row, settings)
  if (clash) throw unfitting(schema, clash)
  return { ...columns, ...input.columns }
}

function unfitting(schema: ResourceSchema, { relation, other }: Clash): JsonApiError {
  const served = [...schema.relations.values()]
  const nameOf = (field: string) => served.find((each) => 'field' in each && each.field === field)?.name
  const attribute = [...schema.attributes.values()].find(({ column }) => column?.name === relation)
  const subject = attribute ? say`The ${attribute.name} field` : say`The ${nameOf(relation)} relation`
  const beside = other === null ? undefined : nameOf(other)
  const detail =
    other === null
      ? say`${subject} would change the id of the resource.`
      : beside === undefined
        ? say`${subject} does not fit another one.`
        : say`${subject} does not fit the ${beside} relation.`
  return invalidField({ detail, pointer: '/data', code: 'fitting' })
}

// DELETE is what sets the mark: it has a policy, rules and hooks of its own.
const onlyRestored = (name: string) =>
  invalidField({
    detail: say`The ${name} field can only be set to null, which restores the resource.`,
    pointer: `/data/attributes/${name}`,
    code: 'restore',
  })

export function relationsOf(schema: ResourceSchema, input: WriteInput): readonly (readonly [Relation, Linkage])[] {
  return [...input.relationships].map(([name, linkage]) => [schema.relations.get(name) as Relation, linkage])
}

export const identifiersOf = (linkage: Linkage): readonly Identifier[] => {
  if (linkage === null) return []
  return isMany(linkage) ? linkage : [linkage]
}

export const isMany = (linkage: Linkage): linkage is readonly Identifier[] => Array.isArray(linkage)

interface KeyParts {
  readonly registry: SchemaRegistry
  readonly relation: Relation
  readonly linkage: Linkage
}

/** The columns of this side that point a to-one relation at its target; none if the target holds the foreign key. */
export async function foreignKeys({ registry, relation, linkage }: KeyParts, related: RelatedRows): Promise<Row> {
  if (relation.kind !== 'belongsTo' && relation.kind !== 'morphTo') return {}
  const [identifier] = identifiersOf(linkage)
  const target = identifier ? await related.target(identifier) : null
  if (relation.kind === 'belongsTo') return target ? pointAt(relation, target) : nowhere(relation.clears)
  const model = identifier && target ? (registry.byType.get(identifier.type)?.model.name ?? null) : null
  if (relation.form.kind === 'columns') return morphColumns(relation.form, model, identifier?.id ?? null)
  return Object.assign(
    {},
    ...relation.form.branches.map((branch) =>
      branch.model === model && target ? pointAt(branch, target) : nowhere(branch.columns),
    ),
  )
}

type Key = Pick<BelongsTo, 'columns' | 'references'>

function pointAt({ columns, references }: Key, target: Row): Row {
  const values = references.map((column) => target[column])
  // A relation may lead to a unique column that is no id, and may be null.
  if (values.some((value) => value == null))
    throw conflict(say`The related resource lacks the value by which it is related.`, '/data')
  return Object.fromEntries(columns.map((column, i) => [column, values[i]]))
}

const nowhere = (columns: readonly string[]): Row => Object.fromEntries(columns.map((column) => [column, null]))

function morphColumns(
  form: Extract<MorphTo['form'], { kind: 'columns' }>,
  model: string | null,
  id: string | null,
): Row {
  const [stored = null] = [...form.models].find(([, name]) => name === model) ?? []
  return { [form.typeColumn]: stored, [form.idColumn]: stored === null ? null : id }
}

// A new resource may be related to itself: its document names it by its `lid`.

interface Given {
  readonly id: string | null
  readonly attributes: ReadonlyMap<string, unknown>
}

/** The columns of a new row that its document says. */
export const knownColumns = (schema: ResourceSchema, { id, attributes }: Given): Row => ({
  ...Object.fromEntries(
    [...attributes].flatMap(([name, value]) => {
      const { column } = schema.attributes.get(name) as Attribute
      return column ? [[column.name, value]] : []
    }),
  ),
  ...(id === null ? {} : schema.id.parse(id)),
})

/**
 * The columns by which a relation leads to the row itself; none for one that has tables of its own.
 *
 * @returns null where a column that they are made of is not known, or null
 */
export function keyToItself(schema: ResourceSchema, name: string, row: Row): Row | null {
  const relation = schema.relations.get(name) as Relation
  switch (relation.kind) {
    case 'belongsTo':
    case 'hasOne':
    case 'hasMany':
      return keyTo(relation, row)
    case 'morphTo':
      if (relation.form.kind === 'keys') {
        const branch = relation.form.branches.find(({ model }) => model === schema.model.name)
        return branch ? keyTo(branch, row) : null
      }
      if (schema.id.columns.some((column) => row[column] == null)) return null
      return morphColumns(relation.form, schema.model.name, schema.id.format(row))
    case 'manyToMany':
    case 'manyThrough':
      return {}
    default:
      return relation satisfies never
  }
}

/** The columns of the row that a relation which leads to itself looks at. */
export function columnsToItself(schema: ResourceSchema, name: string): readonly string[] {
  const relation = schema.relations.get(name) as Relation
  if (relation.kind === 'manyThrough') return [...relation.pivot.from.references, ...relation.pivot.to.references]
  if (relation.kind === 'morphTo')
    return relation.form.kind === 'keys' ? relation.form.branches.flatMap(({ references }) => references) : []
  return 'references' in relation ? relation.references : []
}

function keyTo({ columns, references }: Key, row: Row): Row | null {
  const values = references.map((column) => row[column])
  if (values.some((value) => value == null)) return null
  return Object.fromEntries(columns.map((column, i) => [column, values[i]]))
}

/** Columns that relations are about to set, by Prisma's names of the relations. */
export type Settings = ReadonlyMap<string, Row>

/** Two things that a column cannot serve at once. */
export interface Clash {
  readonly relation: string
  /** The other relation; null where it is the id, which never changes. */
  readonly other: string | null
}

/**
 * A column may belong to several relations, or to a relation and the id: `tenantId` to a project's tenant and its lead.
 * Changing one of them must not change the others unasked.
 *
 * @param row as it is now; null on create.
 */
export function findClash(schema: ResourceSchema, row: Row | null, settings: Settings): Clash | null {
  for (const [relation, columns] of settings) {
    for (const [column, value] of Object.entries(columns)) {
      if (value === null) continue
      if (row && schema.id.columns.includes(column) && isOther(row[column], value)) return { relation, other: null }
      const other = relationsWith(schema, column).find(
        (name) => name !== relation && isMoved(holderOf(schema, name, row, settings), column, value),
      )
      if (other !== undefined) return { relation, other }
    }
  }
  return null
}

function relationsWith({ model }: ResourceSchema, column: string): readonly string[] {
  const relations = Object.values(model.relations)
  return relations.filter(({ foreignKey }) => foreignKey?.columns.includes(column)).map(({ name }) => name)
}

/** The columns by which a relation leads somewhere: what is about to be set, else what the row has. */
function holderOf({ model }: ResourceSchema, name: string, row: Row | null, settings: Settings): Row | null {
  const set = settings.get(name)
  if (set || !row) return set ?? null
  const columns = model.relations[name]?.foreignKey?.columns ?? []
  return columns.every((column) => row[column] != null) ? row : null
}

const isMoved = (holder: Row | null, column: string, value: unknown): boolean =>
  holder?.[column] != null && isOther(holder[column], value)

const isOther = (a: unknown, b: unknown): boolean => keyText([a]) !== keyText([b])
