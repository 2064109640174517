import { type DescribedRules, describeRules } from '@prismapi/core/validation/request/describe-rules'
import type { FieldsOf } from '@prismapi/jsonapi/condition/scopes'
import { masksValues } from '@prismapi/jsonapi/query/query-context'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { isWritable, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { DescribedServer } from './described.ts'

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
