import { memo } from '@prismapi/jsonapi/model/memo'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import { type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { isWritable, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { AuthContext } from './auth-context.ts'

/** What a server lets clients ask for: an action by the policies' name, and the request that would do it. */
export interface Possible {
  readonly name: string
  readonly method: string
  /** `id` is null for what is done with the type. */
  operationOn(id: string | null): Operation
  /** The context as that request would have it, without a body. */
  request(ctx: AuthContext, id: string | null): AuthContext
}

interface RowPossible {
  readonly kept: readonly Possible[]
  /** Of a row that was deleted softly. */
  readonly trashed: readonly Possible[]
}

/** What can be done with a row, in the order in which it is told. */
export const possibleWithRow = memo((schema: ResourceSchema): RowPossible => {
  const { operations, relations, actions } = schema
  const before = [
    possible('GET', '', { kind: 'view', schema }),
    ...(operations.has('update') ? [possible('PATCH', '', { kind: 'update', schema })] : []),
  ]
  const after = [
    ...[...relations.values()].flatMap((relation) => possibleWithRelation(schema, relation)),
    ...[...actions.values()]
      .filter(({ on }) => on === 'member')
      .map((action) => possible(action.method, `/-actions/${action.name}`, { kind: 'action', schema, action })),
  ]
  const deletes = (kind: 'delete' | 'forceDelete') =>
    operations.has('delete') ? [possible('DELETE', '', { kind, schema })] : []
  return {
    kept: [...before, ...deletes('delete'), ...after],
    trashed: [...before, ...deletes('forceDelete'), ...after],
  }
})

/** What can be done with a type as a whole, beside reading it. */
export const possibleWithType = memo((schema: ResourceSchema): readonly Possible[] => [
  ...(schema.operations.has('create') ? [possible('POST', '', { kind: 'create', schema })] : []),
  ...[...schema.actions.values()]
    .filter(({ on }) => on === 'collection')
    .map((action) => possible(action.method, `/-actions/${action.name}`, { kind: 'action', schema, action })),
])

function possibleWithRelation(schema: ResourceSchema, relation: Relation): readonly Possible[] {
  const path = `/relationships/${relation.name}`
  const isChanged = isWritable(schema, relation)
  const asked = (method: string, kind: 'viewRelated' | 'updateRelationship' | 'attach' | 'detach') =>
    possible(method, kind === 'viewRelated' ? `/${relation.name}` : path, { kind, schema, relation })
  return [
    asked('GET', 'viewRelated'),
    ...(isChanged ? [asked('PATCH', 'updateRelationship')] : []),
    ...(isChanged && isToMany(relation) ? [asked('POST', 'attach'), asked('DELETE', 'detach')] : []),
  ]
}

/** An operation but for the row that it is about. */
type About = { readonly kind: Operation['kind']; readonly schema: ResourceSchema } & Readonly<Record<string, unknown>>

function possible(method: string, path: string, about: About): Possible {
  const operationOn = (id: string | null) => ({ ...about, id }) as unknown as Operation
  return {
    name: policyAction(operationOn(null)),
    method,
    operationOn,
    request(ctx, id) {
      const row = id === null ? '' : `/${encodeURIComponent(id)}`
      const url = new URL(`${ctx.server.baseUrl}/${about.schema.type}${row}${path}`)
      return withParts(ctx, { method, at: { url, search: '' }, body: undefined })
    },
  }
}
