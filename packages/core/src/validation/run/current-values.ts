import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { BelongsTo, HasOne, MorphTo, Relation, ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type Target, toOneTargets } from '../../read/loading/load-relations.ts'
import { childrenOf, membersOf, planLevel, planLookUp, planRow } from '../../read/plan.ts'
import type { RelatedRows } from '../../read/related-rows.ts'
import { markHiddenFields, toResource } from '../../read/resource.ts'
import type { ValidationContext } from './validation-context.ts'

export interface CurrentValues {
  readonly values: Readonly<Record<string, unknown>>
  /** Relations with a target that the client may not see; for `seenValues`, also fields that it may not see. */
  readonly hidden: ReadonlySet<string>
}

/** A resource's values as documents write them: attributes, and the linkage of the relations that are validated. */
async function currentValues(
  ctx: ValidationContext,
  schema: ResourceSchema,
  row: Row,
  related: RelatedRows,
): Promise<CurrentValues> {
  const values: Record<string, unknown> = { type: schema.type, id: schema.id.format(row) }
  for (const attribute of schema.attributes.values()) {
    if (!attribute.writeOnly) values[attribute.name] = attribute.serialize(row)
  }
  const hidden = new Set<string>()
  const relations = [...schema.relations.values()].filter(isLoaded)
  await Promise.all(
    relations.map(async (relation) => {
      const linkage = await currentLinkage({ ctx, schema, row, related }, relation)
      values[relation.name] = linkage === 'hidden' ? null : linkage
      if (linkage === 'hidden') hidden.add(relation.name)
    }),
  )
  return { values, hidden }
}

/** The same with null for the fields that the caller may not see of the row. */
export async function seenValues(
  ctx: ValidationContext,
  schema: ResourceSchema,
  row: Row,
  related: RelatedRows,
): Promise<CurrentValues> {
  const resource = toResource(schema, row)
  const [{ values, hidden }] = await Promise.all([
    currentValues(ctx, schema, row, related),
    markHiddenFields(ctx, [resource]),
  ])
  const concealed = resource.hidden
  if (!concealed) return { values, hidden }
  const shown = Object.entries(values).map(([name, value]) => [name, concealed.has(name) ? null : value] as const)
  return { values: Object.fromEntries(shown), hidden: new Set([...hidden, ...concealed]) }
}

// To-one relations whose key the row holds are loaded, unless notValidated(); others where mustValidate() asks for it.
const isLoaded = (relation: Relation): boolean =>
  relation.mustValidate || ((relation.kind === 'belongsTo' || relation.kind === 'morphTo') && !relation.notValidated)

interface Subject {
  readonly ctx: ValidationContext
  readonly schema: ResourceSchema
  readonly row: Row
  readonly related: RelatedRows
}

/** The linkage of a relation as the caller may see it: hidden targets are none. */
export async function visibleLinkage(subject: Subject, relation: Relation): Promise<Linkage> {
  const linkage = await currentLinkage(subject, relation)
  return linkage === 'hidden' ? null : linkage
}

function currentLinkage(subject: Subject, relation: Relation): Promise<Linkage | 'hidden'> {
  switch (relation.kind) {
    case 'belongsTo':
    case 'morphTo':
      return ownLinkage(subject, relation)
    case 'hasOne':
      return oppositeLinkage(subject, relation)
    case 'hasMany':
    case 'manyToMany':
    case 'manyThrough':
      return toManyLinkage(subject, relation)
    default:
      return relation satisfies never
  }
}

/** The linkage that the row's own columns hold. The database is asked only where they do not say all of it. */
async function ownLinkage({ ctx, row, related }: Subject, relation: BelongsTo | MorphTo): Promise<Linkage | 'hidden'> {
  const target = toOneTargets(ctx.server.schemas, relation, row)
  if (!target) return null
  const { schema, references } = target
  const key: Row = Object.fromEntries(references.map((column, i) => [column, target.values[i]]))
  const isId = schema.id.columns.every((column) => references.includes(column))
  if (!isId) return referenced(ctx, target, key)
  const identifier = { type: schema.type, id: schema.id.format(key) }
  // Two columns without a foreign key may name a row that is gone.
  const isCertain =
    !ctx.rows.hides('related', schema.model.name) && !(relation.kind === 'morphTo' && relation.form.kind === 'columns')
  if (isCertain) return identifier
  const [found] = await related.find([identifier])
  return found ? identifier : 'hidden'
}

/** A foreign key that points at a unique which is not the id. */
async function referenced(ctx: ValidationContext, { schema }: Target, key: Row): Promise<Linkage | 'hidden'> {
  const row = await ctx.rows.read('related', planLookUp(schema, schema.id.columns, { key }))
  return row ? { type: schema.type, id: schema.id.format(row) } : 'hidden'
}

async function oppositeLinkage({ ctx, row }: Subject, relation: HasOne): Promise<Linkage> {
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const where = childrenOf(relation, schema.model, row)
  const [found] = await ctx.rows.read('related', planRow(schema, schema.id.columns, where))
  return found ? { type: schema.type, id: schema.id.format(found) } : null
}

async function toManyLinkage({ ctx, schema, row }: Subject, relation: ToMany): Promise<Linkage> {
  const target = schemaOf(ctx.server.schemas, relation.model)
  const where = membersOf(ctx, relation, { schema, row })
  const rows = await ctx.rows.read('related', planLevel(target, target.id.columns, where))
  return rows.map((each) => ({ type: target.type, id: target.id.format(each) }))
}
