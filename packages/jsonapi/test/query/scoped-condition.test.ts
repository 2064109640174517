import { describe, expect, test } from 'vitest'
import { asWhere, conditionIn } from '../../../../test/support/conditions.ts'
import { checkContext } from '../../../../test/support/query-context.ts'
import { resources } from '../../../../test/support/schemas.ts'
import type { Where } from '../../src/model/where.ts'
import { scoped as scopedCondition } from '../../src/query/declared-filter.ts'

const scopes = new Map<string, Where>([
  ['User', { active: true }],
  ['Comment', { spam: false }],
])
const scoped = (where: Where, isDenied = false, given = scopes) => {
  const check = checkContext({ scopes: given })
  return asWhere(
    scopedCondition(conditionIn(where, 'Post', resources), { model: 'Post', isDenied, check }),
    'Post',
    resources,
  )
}
/** The same condition in the spelling that conditions are shown in. */
const said = (where: Where) => asWhere(conditionIn(where, 'Post', resources), 'Post', resources)

/** `active` may be null, which is neither true nor false. */
const active = { AND: [{ active: true }, { active: { not: null } }] }
const spam = { spam: false }

describe('a condition meets none but visible rows', () => {
  test.each<[string, Where, Where]>([
    ['columns', { title: 'x', id: { gt: 1 } }, { AND: [{ title: 'x' }, { id: { gt: 1 } }] }],
    ['nothing', {}, {}],
    ['undefined, which is no condition', { title: undefined, slug: 'x' }, { slug: 'x' }],
    ['to-one', { author: { is: { name: 'x' } } }, { author: { is: { AND: [{ active: true }, { name: 'x' }] } } }],
    ['to-one without is', { author: { name: 'x' } }, { author: { is: { AND: [{ active: true }, { name: 'x' }] } } }],
    ['no target', { author: null }, { NOT: { author: { is: active } } }],
    ['is no target', { author: { is: null } }, { NOT: { author: { is: active } } }],
    ['some target', { author: { isNot: null } }, { author: { is: active } }],
    [
      'another target',
      { author: { isNot: { name: 'x' } } },
      { NOT: { author: { is: { AND: [active, { name: 'x' }] } } } },
    ],
    ['some', { comments: { some: {} } }, { comments: { some: spam } }],
    ['none', { comments: { none: { id: 1 } } }, { comments: { none: { AND: [spam, { id: 1 }] } } }],
    ['every', { comments: { every: { id: 1 } } }, { comments: { none: { AND: [spam, { NOT: { id: 1 } }] } } }],
    [
      'several of one relation',
      { comments: { some: { id: 1 }, none: { id: 2 } } },
      { AND: [{ comments: { some: { AND: [spam, { id: 1 }] } } }, { comments: { none: { AND: [spam, { id: 2 }] } } }] },
    ],
    [
      'a way through several',
      { comments: { some: { author: { name: 'x' } } } },
      { comments: { some: { AND: [spam, { author: { is: { AND: [{ active: true }, { name: 'x' }] } } }] } } },
    ],
    ['a relation to what is not hidden', { tags: { every: { name: 'x' } } }, { tags: { every: { name: 'x' } } }],
    ['alternatives', { OR: [{ author: null }, { id: 1 }] }, { OR: [{ NOT: { author: { is: active } } }, { id: 1 }] }],
    ['no alternative', { OR: [] }, { id: { in: [] } }],
    ['a denial', { NOT: { author: { name: 'x' } } }, { NOT: [{ author: { is: { AND: [active, { name: 'x' }] } } }] }],
    [
      'a denied number',
      { NOT: { comments: { some: { id: 1 } } } },
      { NOT: [{ comments: { some: { AND: [spam, { id: 1 }] } } }] },
    ],
  ])('%s', (_, where, expected) => {
    expect(scoped(where)).toEqual(said(expected))
  })

  test('under a NOT of the query', () => {
    expect(scoped({ author: { name: 'x' } }, true)).toEqual(said({ author: { is: { AND: [active, { name: 'x' }] } } }))
  })

  test('and stays what it is where nothing is hidden', () => {
    const where = { author: { is: { name: 'x' } }, comments: { every: { id: 1 } } }
    expect(scoped(where, false, new Map())).toEqual(
      said({ AND: [{ author: where.author }, { comments: where.comments }] }),
    )
  })
})
