import type { Operation } from '../request/operation.ts'
import { inFile } from '../schema/in-file.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { querySource } from './apply-query-rules.ts'
import type { RequestClasses } from './classes/request-classes.ts'
import { compileRules } from './running/compile-rules.ts'
import { deleteRulesOf, rulesOf } from './running/rule-sources.ts'
import { guestRules, type RuleSource, shareRules, type WithState } from './running/shared-rules.ts'

/** The files of the application's classes by the class, as far as they are known. */
export type ClassFiles = ReadonlyMap<object, string>

/**
 * Makes the rules of a model's classes once, at boot, as far as they need no request.
 * @throws {Error} for a rule of a field that the schema lacks, with the class's file. Of rules that look at the request,
 * those for a guest are checked; all of them are when a request comes.
 */
export function checkRequestClasses(
  classes: RequestClasses | null,
  schema: ResourceSchema,
  files: ClassFiles = new Map(),
): void {
  if (!classes) return
  const { request, query, collectionQuery } = classes
  if (request)
    inFile(files.get(request), () => {
      checkRules(rulesOf(request, schema), { kind: 'create', schema })
      checkRules(rulesOf(request, schema), { kind: 'update', schema, id: '' })
      checkRules(deleteRulesOf(request, schema), { kind: 'delete', schema, id: '' })
    })
  const reads: readonly Operation[] = [
    { kind: 'viewAny', schema },
    { kind: 'view', schema, id: '' },
  ]
  for (const Class of [query, collectionQuery]) {
    if (!Class) continue
    inFile(files.get(Class), () => {
      for (const operation of reads) checkRules(querySource(Class, schema), operation)
    })
  }
}

function checkRules<Instance extends WithState>(source: RuleSource<Instance>, operation: Operation): void {
  if (shareRules(source, operation)) return
  const rules = guestRules(source, operation)
  if (rules) compileRules(rules, source)
}
