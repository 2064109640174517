import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { mapAll } from './failures.ts'

const none: ReadonlySet<string> = new Set()

/**
 * In: a comma list of relations of the primary data. Out: the set of them.
 *
 * @throws JsonApiError 400 for every one that no schema has, or none lets be counted.
 */
export function checkCounts(sent: string | null, schemas: readonly ResourceSchema[]): ReadonlySet<string> {
  if (sent === null || sent === '') return none
  return new Set(mapAll(new Set(sent.split(',')), (name) => checkCount(name, schemas)))
}

function checkCount(name: string, schemas: readonly ResourceSchema[]): string {
  if (schemas.some((schema) => isCountable(schema, name))) return name
  throw badParameter('withCount', say`Field ${name} is not countable.`)
}

function isCountable({ relations }: ResourceSchema, name: string): boolean {
  const relation = relations.get(name)
  return relation !== undefined && isToMany(relation) && relation.isCountable
}

/** `withCount` where no resource is the primary data. */
export function refuseCounts(sent: string | null): ReadonlySet<string> {
  if (sent === null) return none
  throw badParameter('withCount', say`Parameter withCount is not allowed.`)
}
