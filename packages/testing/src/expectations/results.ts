import type { TestDocument } from '../document.ts'
import type { Answer } from '../send.ts'
import { assertAnswer } from './assertion.ts'
import { shown } from './differences.ts'
import { type ExpectedResource, wantedResource } from './expected.ts'
import { partOfResource } from './partly.ts'
import { compare } from './resources.ts'

/**
 * 200 with a result for each atomic operation, in order; null for one without a result (JSON:API extension *Atomic
 * Operations*).
 *
 * @returns the results of the answer
 * @throws {AssertionError} which names each place that differs
 *
 * @example
 * const answer = await client.operations([{ op: 'add', data: { type: 'tags', attributes: { name: 'news' } } }])
 * expectResults(answer, [{ type: 'tags', attributes: { name: 'news' } }])
 */
export function expectResults(
  answer: Answer,
  expected: readonly (ExpectedResource | null)[],
): NonNullable<TestDocument['atomic:results']> {
  const wanted = expected.map((each, i) => each && wantedResource(each, `atomic:results[${i}]`))
  const { 'atomic:results': results = [] } = assertAnswer(answer, {
    status: [200],
    primary: null,
    by: expectResults,
    compare: ({ 'atomic:results': results }) => {
      if (!results)
        return { found: undefined, expected: wanted, lines: [`atomic:results: missing, expected ${shown(wanted)}`] }
      const found = results.map(({ data = null }, i) => partOfResource(data, wanted[i]))
      return compare('atomic:results', found, wanted)
    },
  })
  return results
}
