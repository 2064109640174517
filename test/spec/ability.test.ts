import { abilitiesFor } from '@prismapi/core/auth/ability'
import type { AnyRules } from '@prismapi/core/auth/policy'
import { prismaReader } from '@prismapi/core/database/prisma/prisma-reader'
import type { Delegates } from '@prismapi/core/database/store'
import { wrap } from '@prismapi/core/database/wrap'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { asWhere } from '../support/conditions.ts'
import { openTestDatabase } from '../support/database.ts'

// What an ability decides about a row must be what the database says of the same rules: in a list, on one row, always.

let database: Awaited<ReturnType<typeof openTestDatabase>>
let rows: readonly Row[]

beforeAll(async () => {
  database = await openTestDatabase()
  const nulls = { durationSeconds: null, rating: null, ownerId: null }
  const common = { url: 'https://example.org', createdAt: new Date('2025-01-01T00:00:00.123Z') }
  await database.writer.video.createMany({
    data: [
      { ...common, ...nulls, id: 'a', title: 'Äpfel', featured: true },
      { ...common, ...nulls, id: 'B', title: 'ALPHA', durationSeconds: 60, rating: 2.5 },
      { ...common, ...nulls, id: 'b', title: 'alpha', durationSeconds: 0, rating: 0.1, ownerId: 3 },
      { ...common, ...nulls, id: '%_', title: '', durationSeconds: -1, rating: 5, ownerId: 4, createdAt: new Date(0) },
    ],
  })
  rows = await database.reader.video.findMany()
})
afterAll(() => database.close())

const videoModel = resources.models.Video as ModelMeta
const videos = {
  type: 'videos',
  model: videoModel,
  relations: new Map(),
  actions: new Map(),
  id: { columns: ['id'] },
} as unknown as ResourceSchema
const schemas = { byType: new Map([['videos', videos]]), byModel: new Map([['Video', videos]]) }

const numbers = { durationSeconds: [0, 60, -1, 100], rating: [2.5, 0.1, 5, 3], ownerId: [3, 4, 9] }
const dates = [new Date('2025-01-01T00:00:00.123Z'), new Date(0), '2025-01-01T01:00:00.123+01:00']
const texts = { title: ['alpha', 'ALPHA', '', 'Äpfel', 'a%'], id: ['a', 'b', 'B', '%_'] }

const ordered = (column: string, values: readonly unknown[]) => {
  const value = fc.constantFrom(...values)
  const order = fc.constantFrom('lt', 'lte', 'gt', 'gte')
  const filter = fc.oneof(
    value,
    fc.record({
      not: fc.oneof(
        value,
        order.chain((key) => fc.record({ [key]: value })),
      ),
    }),
    order.chain((key) => fc.record({ [key]: value })),
    fc.record({ gte: value, lt: value }),
    fc.record({ in: fc.array(value, { maxLength: 3 }) }),
    fc.record({ notIn: fc.array(value, { maxLength: 3 }) }),
  )
  return filter.map((chosen): Where => ({ [column]: chosen }))
}

const unordered = (column: string, values: readonly string[]) => {
  const value = fc.constantFrom(...values)
  const operator = fc.constantFrom('contains', 'startsWith', 'endsWith', 'equals', 'not', 'lt', 'gte')
  return fc
    .oneof(
      value,
      operator.chain((key) => fc.record({ [key]: value })),
      fc.record({ in: fc.array(value, { maxLength: 3 }) }),
    )
    .map((chosen): Where => ({ [column]: chosen }))
}

const isNull = fc.constantFrom<Where>(
  ...['durationSeconds', 'rating', 'ownerId'].flatMap((column) => [{ [column]: null }, { [column]: { not: null } }]),
)
const relational = fc.constantFrom<Where>(
  { tags: { some: {} } },
  { tags: { none: { name: 'staff-pick' } } },
  { comments: { some: { authorId: 3 } } },
  { owner: null },
  { owner: { is: { role: 'MEMBER' } } },
  { owner: { isNot: { id: 3 } } },
)
const leaf = fc.oneof(
  ...Object.entries(numbers).map(([column, values]) => ordered(column, values)),
  ordered('createdAt', dates),
  ...Object.entries(texts).map(([column, values]) => unordered(column, values)),
  fc.boolean().map((featured): Where => ({ featured })),
  isNull,
  relational,
)
const { where } = fc.letrec<{ where: Where }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('where'), { minLength: 1, maxLength: 3 }).map((AND): Where => ({ AND })),
    fc.array(tie('where'), { maxLength: 3 }).map((OR): Where => ({ OR })),
    tie('where').map((NOT): Where => ({ NOT })),
    fc.tuple(tie('where'), tie('where')).map((NOT): Where => ({ NOT })),
  ),
}))

const rule = fc.record({ inverted: fc.boolean(), where: fc.option(where) })

interface RuleCase {
  readonly inverted: boolean
  readonly where: Where | null
}

function declare(rules: readonly RuleCase[]) {
  return ({ can, cannot }: AnyRules) => {
    for (const { inverted, where: condition } of rules) {
      const say = inverted ? cannot : can
      if (condition) say('update', condition)
      else say('update')
    }
  }
}

test('a decision about a row is what the database says of the same rules', async () => {
  const reader = prismaReader(database.reader as unknown as Delegates, resources.models)
  let asked = 0
  const counting = wrap(reader, (_plan, read) => {
    asked++
    return read()
  })
  let decided = 0
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 4 }), async (rules) => {
      const policies = new Map([['Video', { abilities: declare(rules) }]])
      const ability = abilitiesFor({ policies, schemas, resources }, null, counting)('Video')
      const allowed = await database.reader.video.findMany({
        where: asWhere(ability.conditionFor('update'), 'Video', resources),
        select: { id: true },
      })
      const listed = new Set(allowed.map(({ id }) => id))
      for (const row of rows) {
        decided++
        const decision = await ability.decide('update', row)
        expect(decision.allowed, JSON.stringify(row)).toBe(listed.has(row.id as string))
      }
    }),
    { numRuns: 300 },
  )
  // Both ways of deciding were tried.
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThan(decided)
})

test('a single condition means what Prisma means by it, wherever that is one thing', async () => {
  const reader = prismaReader(database.reader as unknown as Delegates, resources.models)
  await fc.assert(
    fc.asyncProperty(leaf, async (condition) => {
      const policies = new Map([['Video', { abilities: declare([{ inverted: false, where: condition }]) }]])
      const ability = abilitiesFor({ policies, schemas, resources }, null, reader)('Video')
      const found = await database.reader.video.findMany({ where: condition, select: { id: true } })
      const decisions = await Promise.all(rows.map((row) => ability.decide('update', row)))
      const allowed = rows.filter((_, i) => decisions[i]?.allowed).map((row) => row.id)
      expect(allowed.sort()).toEqual(found.map(({ id }) => id).sort())
    }),
    { numRuns: 200 },
  )
})
