import { expect, test } from 'vitest'
import { conditionsFor, documented, knownOperators } from '../support/query-table.ts'

// docs/queries.md: what it says of every operator is what the parser does.

test.each(documented.map((row) => [row.url, row.written, row] as const))(
  '%s becomes %s',
  async (_url, _written, row) => {
    const { parsed, meant } = await conditionsFor(row)
    expect(parsed).toStrictEqual(meant)
  },
)

test('every operator has its row', async () => {
  const written = documented.flatMap(({ url }) => [...url.matchAll(/\]\[(\w+)\]=/g)].map(([, name]) => name))
  const known = await knownOperators()
  expect([...known].filter((operator) => !written.includes(operator))).toEqual([])
  expect(known).toContain('icontains')
})
