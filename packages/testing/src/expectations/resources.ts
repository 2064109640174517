import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { TestDocument } from '../document.ts'
import type { Answer } from '../send.ts'
import { type Assertion, assertAnswer, type Compared } from './assertion.ts'
import { differences } from './differences.ts'
import { type ExpectedResource, isNamed, nameOf, wantedResource, wantedResources } from './expected.ts'
import { type Matching, matchInAnyOrder, matchInOrder } from './matched.ts'
import { partOfResource } from './partly.ts'
import { toWanted } from './wanted.ts'

// What several assertions do: compare the primary data, or the whole document.

type Expecting = Pick<Assertion, 'status' | 'by'>

/** One resource, as far as the test names it. */
export function assertResource(answer: Answer, expected: ExpectedResource, how: Expecting): ResourceObject {
  const wanted = wantedResource(expected, 'data')
  const document = assertAnswer(answer, {
    ...how,
    primary: 'resource',
    compare: ({ data }) => compare('data', partOfResource(data, wanted), wanted),
  })
  return document.data as ResourceObject
}

/** Several resources, those and no others. */
export function assertResources(
  answer: Answer,
  expected: readonly ExpectedResource[],
  how: Expecting & { readonly order: 'any' | 'given' },
): readonly ResourceObject[] {
  const wanted = wantedResources(expected, 'data')
  const match = how.order === 'any' ? matchInAnyOrder : matchInOrder
  const compareAll = ({ data }: TestDocument) => match(data as readonly unknown[], wanted, resourcesAt('data'))
  return assertAnswer(answer, { ...how, primary: 'resources', compare: compareAll }).data as readonly ResourceObject[]
}

/** Every member of the document, in every order of members, but no other order of items. */
export function assertDocument(answer: Answer, expected: object, how: Expecting & Pick<Assertion, 'primary'>) {
  const wanted = toWanted(expected, '')
  return assertAnswer(answer, { ...how, compare: (document) => compare('', document, wanted) })
}

export const resourcesAt = (at: string, others: Matching['others'] = 'refused'): Matching => ({
  at,
  part: partOfResource,
  isNear: isNamed,
  name: nameOf,
  others,
})

export const compare = (at: string, found: unknown, expected: unknown): Compared => ({
  found,
  expected,
  lines: differences(at, found, expected),
})
