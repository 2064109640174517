import { expect, test } from 'vitest'
import { resources } from '../../../../test/support/schemas.ts'
import { dependsOn } from '../../src/condition/memory.ts'
import { parseCondition } from '../../src/condition/parse.ts'
import type { ModelMeta } from '../../src/model/meta.ts'
import type { Where } from '../../src/model/where.ts'

const post = resources.models.Post as ModelMeta
const depends = (where: Where, ...columns: string[]) =>
  dependsOn(parseCondition(where, post, resources.models), new Set(columns))

test('a condition depends on the columns that it names, wherever it does', () => {
  const where = { slug: 'a', OR: [{ views: 1 }, { NOT: { meta: { path: ['a'], equals: 1 } } }] }
  expect(['slug', 'views', 'meta', 'title'].map((column) => depends(where, 'title2', column))).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect([depends({}, 'slug'), depends({ OR: [] }, 'slug'), depends(where)]).toEqual([false, false, false])
})

test('what is behind a relation may lead back to any column', () => {
  for (const where of [{ author: { name: 'a' } }, { NOT: { comments: { some: {} } } }, { author: null }])
    expect(depends(where, 'slug')).toBe(true)
})
