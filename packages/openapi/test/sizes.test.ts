import { expect, test } from 'vitest'
import { compiledApi } from '../../../test/support/api-files.ts'
import { grownSchema } from '../../../test/support/grown-schema.ts'
import { largeSchema } from '../../../test/support/large-schema.ts'
import { documentParts } from '../src/document.ts'
import { documentText } from '../src/document-text.ts'

function sizeOf(prisma: string): number {
  let length = 0
  for (const piece of documentText(documentParts(compiledApi({ prisma })))) length += piece.length
  return length
}

test('a document grows with its types, and each of them is told in no more than one of a small server', () => {
  // 101 types have more than a hundred lists, which are told in fewer lines.
  const counts = [6, 73, 101, 302]
  const sizes = counts.map((models) => sizeOf(largeSchema(models)))
  const [six = 0, ...others] = counts.map((models, i) => (sizes[i] as number) / models)
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
  expect(six).toBeLessThan(18_000)
  for (const each of others) expect(each).toBeLessThan(16_000)
  expect(sizes.at(-1)).toBeLessThan(4_600_000)
})

// Types of larger ones have more relations, each of which has two URLs.
test.each([
  [6, 20_000],
  [73, 23_000],
])('a type of a grown application with %s types takes less than %s characters', (models, most) => {
  expect(sizeOf(grownSchema(models)) / models).toBeLessThan(most)
})
