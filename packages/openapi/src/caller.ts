import { createHash } from 'node:crypto'
import { allowsSome, mayLinkSome } from '@prismapi/core/auth/allows-some'
import type { AuthContext } from '@prismapi/core/auth/auth-context'
import { fieldsFor } from '@prismapi/core/auth/viewable'
import { type DescribedRules, describeRules, describeRulesFor } from '@prismapi/core/validation/request/describe-rules'
import type { FieldRules } from '@prismapi/core/validation/rules/rule-set'
import { nothing } from '@prismapi/jsonapi/condition/build'
import type { FieldsOf } from '@prismapi/jsonapi/condition/scopes'
import { together } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import { masksValues } from '@prismapi/jsonapi/query/query-context'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { isWritable, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { ISchema } from 'yup'
import type { DescribedServer } from './described.ts'
import { isRequired, ruleSchema } from './value-schema.ts'

/** The caller of a request, as the audience of a document. */
export interface Caller extends Audience {
  /** The same for all callers who are told the same. */
  readonly key: string
}

/** What the policies, rules and scopes of this request leave to its caller; no query, and no row is looked at. */
export async function callerOf(ctx: AuthContext): Promise<Caller> {
  const { server, served } = ctx
  const all = [...server.schemas.byType.values()]
  const named = all.flatMap(operationsOf)
  const answers = await together(
    named.map(
      ([, operation]) =>
        () =>
          allowsSome(ctx, operation),
    ),
  )
  const allowed = new Set(named.flatMap(([id], i) => (answers[i] ? [id] : [])))
  const hidden = all.map(({ model }) => model.name).filter((model) => ctx.rows.hides('related', model))
  const scoped = new Set(hidden)
  const rules = new Map<string, DescribedRules | null>()
  for (const schema of all) {
    for (const kind of ['create', 'update'] as const) {
      const id = `${schema.type}.${kind}`
      if (allowed.has(id)) rules.set(id, written(ctx, schema, kind))
    }
  }
  const canMeet = ({ authorizable, model }: ResourceSchema) =>
    !server.viewEverywhere || !server.authorizable || !authorizable || ctx.abilityOf(model.name).allowsSome('view')
  const seen = all.map(({ model }) =>
    [...(ctx.seen(model.name)?.fields ?? [])].map(([name, condition]) => [name, condition === nothing]),
  )
  const said = [...rules].map(([id, known]) => [id, known && toldBy(known.rules)])
  const decided = [[...allowed], hidden, [...served.trash], all.filter(canMeet).map(({ type }) => type), seen, said]
  return Object.freeze({
    key: createHash('sha256').update(JSON.stringify(decided)).digest('base64url'),
    has: (id: string) => allowed.has(id),
    rulesOf: ({ type }: ResourceSchema, kind: string) => rules.get(`${type}.${kind}`) ?? null,
    seesTrash: (model: string) => served.trash.has(model) && seesMark(ctx, model),
    isScoped: (model: string) => scoped.has(model),
    seen: ctx.seen,
    masksValues: masksValues(server),
    canMeet,
  })
}

const seesMark = ({ server, seen }: AuthContext, model: string): boolean =>
  !seen(model)?.stored.has(server.schemas.byModel.get(model)?.deletedAt ?? '')

/** The rules of the fields that the caller may write, of some row at least. */
function written(ctx: AuthContext, schema: ResourceSchema, kind: 'create' | 'update'): DescribedRules | null {
  const known = describeRulesFor(ctx, writeOf(schema, kind))
  if (!known) return known
  const access = fieldsFor(ctx, schema.model.name, kind)
  const isWritten = (name: string): boolean => {
    const relation = schema.relations.get(name)
    return access?.fields.get(name) !== nothing && (!relation || mayLinkSome(ctx, relation))
  }
  const fields = new Map([...known.rules.fields].filter(([name]) => isWritten(name)))
  return { ...known, rules: { ...known.rules, fields } }
}

/** All that a document tells of rules, as text. */
const toldBy = ({ fields }: FieldRules): string => JSON.stringify([...fields].map(([name, rule]) => [name, told(rule)]))

// Most rules are constants of the application, and what they say is, too.
const told = memo((rule: ISchema<unknown>) => {
  const description = rule.describe()
  return [isRequired(description), 'nullable' in description && description.nullable, ruleSchema(description)]
})

/** Who a document is for, and what they are told. Schemas are the server's own, or what is shown of them. */
export interface Audience {
  /** Are they told of the operation. */
  has(operationId: string): boolean
  /** What they may write; null where only a request can tell. */
  rulesOf(schema: ResourceSchema, kind: 'create' | 'update'): DescribedRules | null
  /** Do they see deleted rows of the model. */
  seesTrash(model: string): boolean
  /** Are rows of the model hidden from them: then what lies behind it counts as null where they sort. */
  isScoped(model: string): boolean
  /** Which fields of the model they see, of which rows; null for all. */
  readonly seen: FieldsOf
  /** Can it be sorted by what they see of some rows only: then it counts as null in the others. */
  readonly masksValues: boolean
  /** Could they see a row of the model where it is related to another. */
  canMeet(schema: ResourceSchema): boolean
}

/** No caller in particular: the document tells of everything that some caller could be told. */
export const everybody = ({ requests, schemas, services, reads, resources }: DescribedServer): Audience => ({
  has: () => true,
  rulesOf: ({ model }, kind) => {
    const schema = schemas.byModel.get(model.name) as ResourceSchema
    return describeRules({ requests, services }, writeOf(schema, kind))
  },
  seesTrash: (model) => schemas.byModel.get(model)?.deletedAtAttribute != null,
  isScoped: (model) => schemas.byModel.get(model)?.deletedAt != null,
  seen: () => null,
  masksValues: masksValues({ reads, resources }),
  canMeet: () => true,
})

export const writeOf = (schema: ResourceSchema, kind: 'create' | 'update') =>
  kind === 'create' ? ({ kind, schema } as const) : ({ kind, schema, id: '' } as const)

type Named = readonly (readonly [id: string, operation: Operation])[]

/** Every operation that a type is served with, by the id that documents give it; DELETE stands for two. */
export function operationsOf(schema: ResourceSchema): Named {
  const { type, operations, deletedAt } = schema
  const one = { schema, id: '' }
  const all: Named = [
    [`${type}.viewAny`, { kind: 'viewAny', schema }],
    ...(schema.statistics ? [[`${type}.viewStats`, { kind: 'viewStats', schema }] as const] : []),
    [`${type}.create`, { kind: 'create', schema }],
    [`${type}.view`, { kind: 'view', ...one }],
    [`${type}.update`, { kind: 'update', ...one }],
    [`${type}.delete`, { kind: 'delete', ...one }],
    ...(deletedAt === null ? [] : [[`${type}.delete`, { kind: 'forceDelete', ...one }] as const]),
    ...[...schema.relations.values()].flatMap((relation) => relationOperations(schema, relation)),
    ...[...schema.actions.values()].map(
      (action) => [`${type}.-actions.${action.name}`, { kind: 'action', ...one, action }] as const,
    ),
  ]
  const missing = (['create', 'update', 'delete'] as const).filter((kind) => !operations.has(kind))
  return all.filter(([id]) => !missing.some((kind) => id === `${type}.${kind}`))
}

/** The types of which an audience is told an operation. */
export const typesTold = (
  schemas: Iterable<ResourceSchema>,
  audience: Pick<Audience, 'has'>,
): readonly ResourceSchema[] => [...schemas].filter((schema) => operationsOf(schema).some(([id]) => audience.has(id)))

function relationOperations(schema: ResourceSchema, relation: Relation): Named {
  const reads = ['viewRelated', 'viewRelationship'] as const
  const writes = isToMany(relation)
    ? (['updateRelationship', 'attach', 'detach'] as const)
    : (['updateRelationship'] as const)
  const kinds = isWritable(schema, relation) ? [...reads, ...writes] : reads
  return kinds.map((kind) => [`${schema.type}.${relation.name}.${kind}`, { kind, schema, id: '', relation }])
}
