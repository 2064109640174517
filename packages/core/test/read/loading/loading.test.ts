import type { RowsPlan } from '@prismapi/core/database/reader'
import type { Compare } from '@prismapi/jsonapi/condition/condition'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../../test/support/schemas.ts'
import { readSpellings } from '../../../src/read/loading/loading.ts'

// Keys that the database takes for the same: how many statements it takes to find how rows spell them.

/** What two texts have in common that are one to a database. */
const collations = {
  'that ignores case': (text: string) => text.toLowerCase(),
  'that ignores case and accents': (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
  'that ignores case, and takes ß for ss': (text: string) => text.toLowerCase().replaceAll('ß', 'ss'),
  'that ignores spaces at the end alone': (text: string) => text.trimEnd(),
} as const

/** How a database with these slugs spells the keys. */
async function spelt(fold: (text: string) => string, slugs: readonly string[], keys: readonly string[]) {
  let statements = 0
  const read = ({ where }: RowsPlan) => {
    statements++
    const asked = ((where as Compare).value as string[]).map(fold)
    return slugs.filter((slug) => asked.includes(fold(slug))).map((slug) => ({ slug }))
  }
  const found = await readSpellings(
    { rows: { unscoped: { read } } } as never,
    { schema: schemaOfModel('Post'), references: ['slug'] },
    new Map(keys.map((key) => [key, [key]])),
  )
  return { statements, found: Object.fromEntries(found) }
}

test('keys of which no two are alike take one statement', async () => {
  expect(await spelt(collations['that ignores case'], ['ann', 'Ben', 'eve'], ['ANN', 'ben', 'EVE'])).toEqual({
    statements: 1,
    found: { ANN: 'ann', ben: 'Ben', EVE: 'eve' },
  })
})

test('one key in several spellings takes as many', async () => {
  const keys = ['ANN', 'Ann', 'aNN', 'ben', 'BEN', 'EVE']
  expect(await spelt(collations['that ignores case'], ['ann', 'Ben', 'eve'], keys)).toEqual({
    statements: 3,
    found: { ANN: 'ann', Ann: 'ann', aNN: 'ann', ben: 'Ben', BEN: 'Ben', EVE: 'eve' },
  })
})

test('a key that leads nowhere takes another one beside those that lead somewhere', async () => {
  const fold = collations['that ignores case']
  expect(await spelt(fold, ['ann', 'Ben'], ['ANN', 'ben', 'none'])).toEqual({
    statements: 2,
    found: { ANN: 'ann', ben: 'Ben' },
  })
  expect(await spelt(fold, ['ann'], ['none', 'any'])).toEqual({ statements: 1, found: {} })
})

test('a key that is unlike its row is asked for alone', async () => {
  const fold = collations['that ignores case, and takes ß for ss']
  expect(await spelt(fold, ['straße', 'ann'], ['STRASSE', 'ANN'])).toEqual({
    statements: 2,
    found: { ANN: 'ann', STRASSE: 'straße' },
  })
})

test('no key takes no statement', async () => {
  expect(await spelt(collations['that ignores case'], ['ann'], [])).toEqual({ statements: 0, found: {} })
})

describe.each(Object.entries(collations))('by a collation %s', (_, fold) => {
  const letters = fc.constantFrom('a', 'A', 'á', 'ß', 'ss', 'S', 'e', 'É', ' ')
  const text = fc.array(letters, { minLength: 1, maxLength: 3 }).map((all) => all.join(''))

  test('each key leads to the row that the database means', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(text, { selector: fold, maxLength: 6 }),
        fc.uniqueArray(text, { maxLength: 8 }),
        async (slugs, keys) => {
          const { found } = await spelt(fold, slugs, keys)
          const meant = keys.flatMap((key) =>
            slugs.filter((slug) => fold(slug) === fold(key)).map((slug) => [key, slug]),
          )
          expect(found).toEqual(Object.fromEntries(meant))
        },
      ),
      { numRuns: 300 },
    )
  })
})
