import { describe, expect, test } from 'vitest'
import { asWhere, conditionIn } from '../../../../test/support/conditions.ts'
import { resources } from '../../../../test/support/schemas.ts'
import type { Provider } from '../../src/model/meta.ts'
import type { Where } from '../../src/model/where.ts'
import { escapeLike, ignoresCase, withPlainTexts } from '../../src/query/plain-texts.ts'

const plain = (where: Where, provider: Provider = 'postgresql') =>
  asWhere(withPlainTexts(conditionIn(where, 'Post', resources), provider), 'Post', resources)

describe('a text that is searched for', () => {
  test.each<[Where, Where]>([
    [{ title: { contains: '5%' } }, { title: { contains: '5\\%' } }],
    [{ title: { startsWith: 'a_b' } }, { title: { startsWith: 'a\\_b' } }],
    [{ title: { endsWith: '\\' } }, { title: { endsWith: '\\\\' } }],
    [{ title: { equals: '5%', mode: 'insensitive' } }, { title: { equals: '5\\%', mode: 'insensitive' } }],
    [{ title: { contains: '%', mode: 'insensitive' } }, { title: { contains: '\\%', mode: 'insensitive' } }],
    [{ title: '5%' }, { title: '5%' }],
    [{ title: { gt: '5%' } }, { title: { gt: '5%' } }],
    [{ title: { gt: '5%', mode: 'insensitive' } }, { title: { gt: '5%', mode: 'insensitive' } }],
    [{ title: { lte: 'a_\\', mode: 'insensitive' } }, { title: { lte: 'a_\\', mode: 'insensitive' } }],
    [{ title: { not: '5%', mode: 'insensitive' } }, { NOT: { title: { equals: '5\\%', mode: 'insensitive' } } }],
    [{ title: { in: ['5%'] } }, { title: { in: ['5%'] } }],
    [{ title: { in: ['5%'], mode: 'insensitive' } }, { title: { in: ['5%'], mode: 'insensitive' } }],
    [{ labels: { has: '%' } }, { labels: { has: '%' } }],
    [{ meta: { path: ['a'], string_contains: '%' } }, { meta: { path: ['a'], string_contains: '%' } }],
    [{ author: null }, { author: null }],
    [{ author: { name: { contains: '%' } } }, { author: { is: { name: { contains: '\\%' } } } }],
    [{ tags: { every: { name: { contains: '%' } } } }, { tags: { every: { name: { contains: '\\%' } } } }],
    [{ NOT: { title: { contains: '%' } } }, { NOT: { title: { contains: '\\%' } } }],
    [
      { OR: [{ title: { contains: '%' } }, { slug: { contains: '_' } }] },
      { OR: [{ title: { contains: '\\%' } }, { slug: { contains: '\\_' } }] },
    ],
    [
      { title: { contains: '%' }, slug: { contains: '_' } },
      { title: { contains: '\\%' }, slug: { contains: '\\_' } },
    ],
    [{}, {}],
    [{ OR: [] }, { id: { in: [] } }],
  ])('%j', (where, expected) => {
    expect(plain(where)).toEqual(expected)
  })

  test('that SQLite cannot escape is searched for by what is no pattern', () => {
    const where = conditionIn({ title: { contains: '5%' } }, 'Post', resources)
    expect(withPlainTexts(where, 'sqlite')).toMatchObject({ operator: 'contains', value: '5%', mode: 'plain' })
    const without = conditionIn({ title: { contains: '5' } }, 'Post', resources)
    expect(withPlainTexts(without, 'sqlite')).toMatchObject({ operator: 'contains', value: '5', mode: null })
  })
})

test.each<[Provider, string | null]>([
  ['sqlite', null],
  ['sqlserver', 'a[%]b[_]c[[]d\\%'.replace('\\%', '\\')],
  ['postgresql', 'a\\%b\\_c[d\\\\'],
  ['cockroachdb', 'a\\%b\\_c[d\\\\'],
  ['mysql', 'a\\%b\\_c[d\\\\'],
])('%s takes each character of a pattern for itself', (provider, escaped) => {
  expect(escapeLike('a%b_c[d\\', provider)).toBe(escaped)
  expect(escapeLike('plain', provider)).toBe('plain')
})

test('%s and _ alone are patterns on SQLite', () => {
  expect(['a%', 'a_', 'a[\\'].map((text) => escapeLike(text, 'sqlite'))).toEqual([null, null, 'a[\\'])
})

test('letter case is ignored where the database can be told to', () => {
  const providers = ['sqlite', 'postgresql', 'cockroachdb', 'mysql', 'sqlserver'] as const
  expect(providers.filter(ignoresCase)).toEqual(['postgresql', 'cockroachdb'])
})
