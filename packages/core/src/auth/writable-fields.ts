import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { type Awaitable, after, together } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import { isKeyAttribute, isKeyRelation, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { isTrashed } from '../write/write-row.ts'
import type { FieldAction } from './actions.ts'
import { mayLinkSome } from './allows-some.ts'
import type { AuthContext } from './auth-context.ts'
import { fieldHolds, fieldsFor } from './viewable.ts'

/**
 * The fields that the rules let the caller write; null if they allow all. Relations whose links are kept in rows that
 * the caller certainly may not change are left out, and so is the mark of soft deletion unless it can be removed. Each
 * condition that memory cannot judge costs a query. A null row stands for a new one, of which nothing is known.
 */
export function writableFields(
  ctx: WritingContext,
  schema: ResourceSchema,
  row: Row | null,
): Awaitable<readonly string[] | null> {
  const action: FieldAction = row ? 'update' : 'create'
  const access = fieldsFor(ctx, schema.model.name, action)
  const attributes = [...schema.attributes.values()].filter(
    (attribute) =>
      !attribute.readOnly &&
      (!row || !isKeyAttribute(schema, attribute)) &&
      (attribute.name !== schema.deletedAtAttribute || isRestored(ctx, schema, row)),
  )
  const relations = [...schema.relations.values()].filter(
    (relation) => !relation.readOnly && (!row || !isKeyRelation(schema, relation)),
  )
  const all = [...attributes, ...relations].map(({ name }) => name)
  const unlinked = new Set(relations.filter((relation) => !mayLinkSome(ctx, relation)).map(({ name }) => name))
  const ruled = [...new Set(all.flatMap((name) => access?.fields.get(name) ?? []))]
  return after(together(ruled.map((condition) => () => fieldHolds(ctx, schema, { row, condition }))), (verdicts) => {
    const denying = new Set(ruled.filter((_, i) => !verdicts[i]))
    const isDenied = (name: string): boolean => denying.has(access?.fields.get(name) as Condition)
    const written = all.filter((name) => !isDenied(name) && !unlinked.has(name))
    return written.length === all.length ? null : written
  })
}

type WritingContext = Pick<AuthContext, 'server' | 'served' | 'abilityOf'>

/** The mark of a row that was deleted is taken off by who may see it. */
const isRestored = ({ served }: WritingContext, schema: ResourceSchema, row: Row | null): boolean =>
  row !== null && isTrashed(schema, row) && served.trash.has(schema.model.name)
