import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { Delegates } from '@prismapi/core/database/store'
import { everything } from '@prismapi/jsonapi/condition/build'
import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type FixtureDatabase } from '../any-schema/databases.ts'
import type { FixtureProvider } from '../any-schema/fixtures.ts'
import { generate } from '../any-schema/generate.ts'
import { arbitraryGroups } from './arbitrary-groups.ts'
import { arbitraryPlan } from './arbitrary-plans.ts'
import { bothReaders, expectSame, type Readers } from './compare.ts'
import { fillRandomly, randomNumbers } from './random-rows.ts'
import { countChildren, readChildren } from './related-plans.ts'

/** How far rows are counted. */
const ends = fc.integer({ min: 1, max: 20 })

/** How many plans are compared for each model. */
const runs = 60

/** Random plans over a fixture's models, through both readers. */
export function readersAgree(name: string, provider: FixtureProvider): void {
  describe(`${name} on ${provider}`, () => {
    let folder: string
    let database: FixtureDatabase
    let resources: Resources
    let readers: Readers

    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'prismapi-readers-'))
      const generated = await generate(name, provider, folder)
      resources = generated.resources
      database = await databases[provider](generated)
      const { reader, writer, sql } = database.clients as unknown as Clients
      await fillRandomly(writer, resources, randomNumbers(7))
      readers = bothReaders(resources, reader, sql)
    })
    afterAll(async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const models = (): readonly ModelMeta[] => Object.values(resources.models).filter(({ key }) => key.length > 0)
    const relations = (): readonly (readonly [ModelMeta, RelationMeta])[] =>
      models().flatMap((model) =>
        Object.values(model.relations)
          .filter(({ isList, inverse }) => isList && inverse !== null)
          .map((relation) => [model, relation] as const),
      )
    const targetOf = ({ model }: RelationMeta) => resources.models[model] as ModelMeta

    test('the same rows for any plan', async () => {
      let met = 0
      for (const model of models()) {
        const plans = fc.asyncProperty(arbitraryPlan(model, resources), async (plan) => {
          const rows = await expectSame(readers, async (reader) => reader.read(plan))
          if (rows.length > 0) met++
        })
        await fc.assert(plans, { numRuns: runs, seed: 1 })
      }
      // Else the conditions met nothing, and the two agreed on nothing.
      expect(met).toBeGreaterThan((models().length * runs) / 4)
    })

    test('the same numbers', async () => {
      for (const model of models()) {
        const plans = fc.asyncProperty(arbitraryPlan(model, resources), ends, async ({ where }, end) => {
          const plan = { kind: 'count', model: model.name, where } as const
          const count = await expectSame(readers, async (reader) => reader.read(plan))
          const upTo = await expectSame(readers, async (reader) => reader.read({ ...plan, most: end }))
          if (typeof count === 'number') expect(upTo).toBe(Math.min(count, end))
        })
        await fc.assert(plans, { numRuns: runs / 3, seed: 2 })
      }
    })

    test('the same groups, with the same figures', async () => {
      for (const model of models()) {
        const plans = fc.asyncProperty(arbitraryGroups(model, resources), async (plan) => {
          // Behind the last group no row says how many there are.
          await expectSame(readers, async (reader) => {
            const { groups, total } = await reader.read(plan)
            return { groups, total: groups.length > 0 ? total : 0 }
          })
        })
        await fc.assert(plans, { numRuns: runs, seed: 5 })
      }
    })

    test('the same first rows of each of several parents', async () => {
      for (const [model, relation] of relations()) {
        const key = model.key.map((path) => ({ path: [path], direction: 'asc' as const }))
        const all = { ...wholeLevel, model: model.name, columns: Object.keys(model.columns), order: key }
        const parents = await readers.prisma.read(all)
        const plans = fc.asyncProperty(
          fc.subarray([...parents], { minLength: 1 }),
          arbitraryPlan(targetOf(relation), resources),
          async (some, plan) => {
            await expectSame(readers, (reader) => readChildren(reader, relation, some, plan, resources))
          },
        )
        await fc.assert(plans, { numRuns: runs / 3, seed: 3 })
      }
    })

    test('the same numbers of children', async () => {
      for (const [model, relation] of relations()) {
        const plans = fc.asyncProperty(arbitraryPlan(targetOf(relation), resources), async (plan) => {
          await expectSame(readers, (reader) => countChildren(reader, model, relation, plan, resources))
        })
        await fc.assert(plans, { numRuns: runs / 3, seed: 4 })
      }
    })

    test('and only what SQL has no exact way for is left to Prisma', () => {
      expect([...readers.unknown.keys()].filter((part) => !known.test(part))).toEqual([])
    })
  })
}

interface Clients {
  readonly reader: Delegates
  readonly writer: Delegates
  readonly sql: SqlDatabase
}

const wholeLevel = { kind: 'rows', where: everything, skip: 0, take: null } as const

const known =
  /^a list of (Float|Decimal|Bytes)$|^a not inside|^an empty OR inside|^a stored integer of 64 bits$|^null for |^the type of |^a mode$|^a search in /
