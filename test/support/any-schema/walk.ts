import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partOf } from '../night.ts'
import { databases, type FixtureDatabase } from './databases.ts'
import { arrangement, type FixtureProvider, fixtureNames } from './fixtures.ts'
import { type Generated, generate } from './generate.ts'
import { type Served, serve } from './open.ts'
import { type Making, type Population, populate, sampler } from './populate.ts'
import { schemaClasses } from './schema-classes.ts'
import { walkCollections, walkIncludes, walkRelations } from './walk-reads.ts'
import { walkRefusals, walkStrangeIds } from './walk-refusals.ts'
import { walkRelationships } from './walk-relationships.ts'
import { walkAttributes, walkDeletions } from './walk-writes.ts'

/** To walk a fixture takes long: CI walks some of them, and so does every run on PostgreSQL. TEST_TURN=all walks all. */
const shares: Readonly<Record<FixtureProvider, number>> = { sqlite: process.env.CI ? 5 : 1, postgresql: 5 }

/** The tests of every fixture on one kind of database. */
export function walkEverySchema(provider: FixtureProvider): void {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 1_000_000)
  const names = partOf(fixtureNames, shares[provider])
  const below = mkdtempSync(path.join(tmpdir(), 'prismapi-schemas-'))
  const generated = new Map<string, Promise<Generated>>()
  beforeAll(() => {
    // The next one is generated while this one is walked.
    let before: Promise<unknown> = Promise.resolve()
    for (const name of names) {
      const made = before.then(() => generate(name, provider, below))
      generated.set(name, made)
      before = made.catch(() => {})
    }
  })
  afterAll(() => rmSync(below, { recursive: true }))

  describe.each(names)(`%s, with the seed ${seed}`, (name) => {
    const making: Making = { provider, random: sampler(seed) }
    let database: FixtureDatabase
    let served: Served
    let population: Population = new Map()

    beforeAll(async () => {
      const made = (await generated.get(name)) as Generated
      database = await databases[provider](made)
      served = await serve(made, database.clients, schemaClasses[name])
    })
    afterAll(async () => {
      await served?.close()
      await database?.close()
    })

    test('every type can be created, or refuses to be', async () => {
      population = await populate(served, making)
      const sql = arrangement(name)
      if (sql) await database.execute(sql)
      await walkRefusals(served)
    })

    test('every type lists, and every id reads back', async () => {
      population = await walkCollections(served, population)
      expect([...population.values()].every((rows) => rows.length > 0)).toBe(true)
    })

    test('every relation reads at both of its URLs, and included', () => walkRelations(served, population))
    test('every include path of two relations has full linkage', () => walkIncludes(served, population))
    test('every attribute takes legal values, and no others', () => walkAttributes(served, population, making))
    test('every relation is changed, or refuses with nothing changed', async () => {
      const answers = await walkRelationships(served, population, making)
      if (answers.size > 0) expect(answers).toContain(200)
    })
    test('no other id names anything', () => walkStrangeIds(served, population))
    test('every resource is deleted, or kept', async () => {
      await walkDeletions(served, await walkCollections(served, new Map()))
    })
  })
}
