import { isKeptInRow } from '@prismapi/core/read/loading/load-relations'
import { isShown, type Resource } from '@prismapi/core/read/resource'
import { isMany } from '@prismapi/core/serialize/resource-text'
import type { ServerContext } from '@prismapi/core/server/serving'
import { includedByDefault } from '@prismapi/jsonapi/query/check-query'
import type { Query } from '@prismapi/jsonapi/query/query'
import { isNeverSeen } from '@prismapi/jsonapi/query/query-context'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type Attribute, type ResourceSchema, schemaOf, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import type { Heading, Value } from './formats.ts'

/** A column with what a resource has in it. */
export interface Column extends Heading {
  /** Undefined where the caller does not see it. */
  valueOf(resource: Resource): Value
}

/**
 * The columns of a type: the id, and what `fields` names, in that order. Where it names nothing, those are the
 * attributes, and the relations that rows have in themselves.
 */
export function columnsOf(ctx: ServerContext, schema: ResourceSchema, { fields }: Query): readonly Column[] {
  const names = fields.get(schema.type) ?? usualNames(ctx, schema)
  return [id, ...[...names].map((name) => columnOf(schema, name))]
}

function usualNames(ctx: ServerContext, schema: ResourceSchema): readonly string[] {
  const isConcealed = !ctx.served.trash.has(schema.model.name)
  const attributes = [...schema.attributes.values()].filter(
    ({ name, writeOnly }) => !writeOnly && !(isConcealed && name === schema.deletedAtAttribute),
  )
  const relations = [...schema.relations.values()].filter(isKeptInRow)
  return [...attributes, ...relations].map(({ name }) => name).filter((name) => !isNeverSeen(schema, name, ctx))
}

const id: Column = { name: 'id', isText: true, valueOf: (resource) => resource.id }

function columnOf(schema: ResourceSchema, name: string): Column {
  const attribute = schema.attributes.get(name)
  const read = attribute ? attributeReader(attribute) : relationReader(schema.relations.get(name) as Relation)
  return {
    name,
    isText: !attribute || isText(attribute),
    valueOf: (resource) => (isShown(resource, name) ? read(resource) : undefined),
  }
}

/** Of these kinds no value is a text of somebody's own. */
const reckoned: ReadonlySet<string> = new Set([
  ...['integer', 'bigint', 'float', 'decimal', 'boolean', 'datetime', 'date', 'time'],
])

const isText = ({ kind, isList, isConverted }: Attribute): boolean => isList || isConverted || !reckoned.has(kind)

type ValueOf = Column['valueOf']

function attributeReader({ kind, isConverted, isList, column, serialize }: Attribute): ValueOf {
  const read: ValueOf = ({ row }) => serialize(row) ?? null
  if (kind !== 'datetime' || isConverted || isList || !column) return read
  // One that is there as a text was read to be shown.
  const { name } = column
  return (resource) => (typeof resource.row[name] === 'string' ? resource.row[name] : read(resource))
}

/** The ids of what the relation leads to, with their type where that may be one of several. */
function relationReader({ name, kind }: Relation): ValueOf {
  const nameOf = ({ schema, id }: Resource) => (kind === 'morphTo' ? `${schema.type}/${id}` : id)
  return ({ related, pages }) => {
    if (pages?.has(name)) throw new Error(`A resource has more ${name} than a line of an export names.`)
    const targets = related?.get(name) ?? null
    if (targets === null) return null
    return isMany(targets) ? targets.map(nameOf) : nameOf(targets)
  }
}

/** The query by which resources are loaded for these columns: of what relations lead to, nothing but the ids. */
export function loadedQuery(ctx: ServerContext, schema: ResourceSchema, query: Query): Query {
  const named = query.fields.get(schema.type) ?? new Set()
  const relations = [...schema.relations.values()]
  const asked = relations.filter((relation) => named.has(relation.name) && !isKeptInRow(relation))
  const targets = relations.flatMap((relation) => targetSchemas(ctx.server.schemas, relation))
  return {
    ...query,
    counts: new Set(),
    stats: [],
    include: new Map(asked.map(({ name }) => [name, new Map()])),
    collections: new Map(
      asked.filter(isToMany).map((relation) => {
        const usual = includedByDefault(ctx, schemaOf(ctx.server.schemas, relation.model))
        return [relation, { ...usual, size: ctx.limits.resources }]
      }),
    ),
    fields: new Map([
      ...targets.filter(({ type }) => type !== schema.type).map(({ type }) => [type, new Set<string>()] as const),
      ...query.fields,
    ]),
  }
}
