import type { Services } from '@prismapi/jsonapi/model/register'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { inFile } from '@prismapi/jsonapi/schema/registry'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { checkAs, type Describable, describe } from './describe-rules.ts'
import { deleteRules, queryRules, writeRules } from './make-request.ts'
import type { RequestClasses } from './resource-query.ts'

/** The files of the application's classes by the class, as far as they are known. */
export type ClassFiles = ReadonlyMap<object, string>

/** Users that the application has, by the names of their roles. */
export type SampleUsers = Readonly<Record<string, unknown>>

interface CheckedWith {
  readonly schema: ResourceSchema
  readonly services: Services
  readonly files?: ClassFiles | undefined
  /** A user of each role, whose branches are checked as well. */
  readonly sampleUsers?: SampleUsers | undefined
}

/**
 * Reads the rules of a model's classes once, at startup, as far as they need no request.
 *
 * @throws {Error} with the class's file, for a rule of a field that the schema lacks. If rules look at the request,
 * those of a guest and of the sample users are checked here, and all others when a request comes.
 */
export function checkRequestClasses(
  classes: RequestClasses | null,
  { schema, services, files = new Map(), sampleUsers = {} }: CheckedWith,
): void {
  if (!classes) return
  const { request, query, collectionQuery } = classes
  const check = <Instance>(about: Describable<Instance>, operation: Operation) => {
    describe(about, operation)
    for (const [role, user] of Object.entries(sampleUsers)) checkAs(about, operation, { role, user })
  }
  if (request)
    inFile(files.get(request), () => {
      check({ Class: request, rulesOf: writeRules, services }, { kind: 'create', schema })
      check({ Class: request, rulesOf: writeRules, services }, { kind: 'update', schema, id: '' })
      check({ Class: request, rulesOf: deleteRules, services }, { kind: 'delete', schema, id: '' })
    })
  const reads: readonly Operation[] = [
    { kind: 'viewAny', schema },
    { kind: 'view', schema, id: '' },
  ]
  for (const Class of [query, collectionQuery]) {
    if (!Class) continue
    inFile(files.get(Class), () => {
      for (const operation of reads) check({ Class, rulesOf: queryRules, services }, operation)
    })
  }
}
