import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Answer } from '../send.ts'
import { type Assertion, assertAnswer } from './assertion.ts'
import { type ExpectedResource, wantedResources } from './expected.ts'
import { type Matching, matchInAnyOrder } from './matched.ts'
import { resourcesAt } from './resources.ts'

/**
 * `included` has these resources and no others, in any order; an empty list says that nothing is included (JSON:API,
 * *Compound Documents*).
 * @returns the resource objects of `included`, in its order
 * @throws {AssertionError} which names each resource that is missing or was not expected, and each place that differs
 *
 * @example
 * expectIncluded(await client.get('/posts/1').include('author'), [ann])
 */
export function expectIncluded(answer: Answer, expected: readonly ExpectedResource[]): readonly ResourceObject[] {
  return assertIncluded(answer, expected, { others: 'refused', by: expectIncluded })
}

/**
 * `included` has these resources, maybe among others.
 * @throws {AssertionError} which names each resource that is missing, and each place that differs
 *
 * @example
 * expectAmongIncluded(await client.get('/posts').include('author', 'tags'), [ann])
 */
export function expectAmongIncluded(answer: Answer, expected: readonly ExpectedResource[]): readonly ResourceObject[] {
  return assertIncluded(answer, expected, { others: 'allowed', by: expectAmongIncluded })
}

interface Expecting {
  readonly others: Matching['others']
  readonly by: Assertion['by']
}

function assertIncluded(answer: Answer, expected: readonly ExpectedResource[], { others, by }: Expecting) {
  const wanted = wantedResources(expected, 'included')
  const { included = [] } = assertAnswer(answer, {
    status: [200, 201],
    primary: null,
    by,
    compare: ({ included = [] }) => matchInAnyOrder(included, wanted, resourcesAt('included', others)),
  })
  return included
}
