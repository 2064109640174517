import { nonCompliant } from './errors.ts'
import { type Failures, throwAll } from './failures.ts'
import { type LinkageLimits, linkageFailures, type RelationShape, toLinkage } from './linkage.ts'
import { isObject } from './members.ts'
import { say } from './text.ts'
import type { Linkage } from './types.ts'

/** The relation that a relationship endpoint writes to. */
export interface RelationshipShape extends RelationShape, LinkageLimits {}

const place = { relation: '/data', data: '/data' }

/**
 * The linkage of a relationship document. `null` is fine for every to-one relation: whether one is required is a rule.
 *
 * @throws JsonApiError 400 or 422 with every failure.
 * @example
 * parseRelationship({ data: [{ type: 'tags', id: '2' }] }, tags) // [{ type: 'tags', id: '2' }]
 */
export function parseRelationship(body: unknown, shape: RelationshipShape): Linkage {
  throwAll(failuresOf(body, shape))
  return toLinkage(isObject(body) ? body.data : null)
}

function* failuresOf(body: unknown, shape: RelationshipShape): Failures {
  if (!isObject(body) || !Object.hasOwn(body, 'data')) yield nonCompliant(say`The member data is required.`, '')
  else yield* linkageFailures(body.data, shape, place, shape)
}
