import type { Operation } from '../request/operation.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { querySource } from './apply-query-rules.ts'
import type { RequestClasses } from './request-classes.ts'
import { deleteRulesOf, rulesOf } from './rule-sources.ts'
import { shareRules } from './shared-rules.ts'

/**
 * Makes the rules of a model's classes once, at boot, as far as they need no request.
 * @throws {Error} for a rule of a field that the schema lacks; the caller knows the file. Rules that look at the request
 * are made, and checked, when a request comes.
 */
export function checkRequestClasses(classes: RequestClasses | null, schema: ResourceSchema): void {
  if (!classes) return
  const { request, query, collectionQuery } = classes
  if (request) {
    shareRules(rulesOf(request, schema), { kind: 'create', schema })
    shareRules(rulesOf(request, schema), { kind: 'update', schema, id: '' })
    shareRules(deleteRulesOf(request, schema), { kind: 'delete', schema, id: '' })
  }
  const reads: readonly Operation[] = [
    { kind: 'viewAny', schema },
    { kind: 'view', schema, id: '' },
  ]
  for (const Class of [query, collectionQuery]) {
    if (Class) for (const operation of reads) shareRules(querySource(Class, schema), operation)
  }
}
