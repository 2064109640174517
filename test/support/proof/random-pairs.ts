import { everything } from '@prismapi/jsonapi/condition/build'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { meets } from '@prismapi/proof/confirm/ask'
import { databaseOf } from '@prismapi/proof/confirm/database'
import { openScratch, type Scratch, type ScratchConnection } from '@prismapi/proof/confirm/scratch'
import { toCondition } from '@prismapi/proof/confirm/to-condition'
import type { Formula } from '@prismapi/proof/formula'
import type { ClaimType } from '@prismapi/proof/model/persona'
import { Finder, type Found } from '@prismapi/proof/solve/solve'
import { differByForce, truthIn, type World } from './brute-force.ts'
import { dice, personOf, randomPolicy, rewritten } from './small-world.ts'

/** What became of pairs of policies. */
export interface Tally {
  readonly differing: number
  readonly same: number
  /** What the solver and the brute force, or the reader, do not agree on: one line each. */
  readonly faults: readonly string[]
}

const claims: Readonly<Record<string, ClaimType>> = { id: { kind: 'symbol', type: 'Int', isNullable: false } }

/** A database in which the examples are confirmed. */
export interface Place {
  readonly resources: Resources
  readonly connection: ScratchConnection
}

/**
 * Pairs of policies by the dice: the solver against every small database, and each of its examples against the reader, on each of the
 * databases.
 */
export async function comparePairs(
  places: readonly Place[],
  { from, pairs }: { readonly from: number; readonly pairs: number },
): Promise<readonly Tally[]> {
  const compared = await Promise.all(places.map(PairsOf.open))
  for (let seed = from; seed < from + pairs; seed++) {
    const roll = dice(seed)
    const a = randomPolicy(roll)
    const b = roll() < 0.5 ? randomPolicy(roll) : rewritten(a, roll, roll() < 0.5 ? 0 : 0.1)
    let differs: boolean | null = null
    for (const each of compared) {
      if (await each.differ(seed, [a, b])) continue
      differs ??= differByForce(a, b)
      if (differs) each.faults.push(`${seed}: a difference was not found`)
    }
  }
  for (const each of compared) await each.scratch.close()
  return compared
}

/** The pairs, on one of the databases. */
class PairsOf implements Tally {
  differing = 0
  same = 0
  readonly faults: string[] = []
  readonly scratch: Scratch
  private readonly resources: Resources
  private readonly finder = new Finder()

  constructor(resources: Resources, scratch: Scratch) {
    this.resources = resources
    this.scratch = scratch
  }

  static async open({ resources, connection }: Place): Promise<PairsOf> {
    return new PairsOf(resources, await openScratch(connection, resources))
  }

  /** Does the solver tell the two apart; its examples are looked at. */
  async differ(seed: number, [a, b]: readonly [Formula, Formula]): Promise<boolean> {
    const found = [await this.example(seed, a, b), await this.example(seed, b, a)]
    const isFound = found.includes(true)
    if (isFound) this.differing++
    else this.same++
    return isFound
  }

  private async example(seed: number, is: Formula, isNot: Formula): Promise<boolean> {
    const { resources, scratch, faults } = this
    const model = personOf(resources)
    const wanted = [
      { formula: is, isTrue: true, isCertain: true },
      { formula: isNot, isTrue: false, isCertain: true },
    ]
    const example = this.finder.find({ model, resources, claims, now: 0 }, wanted)
    if (example === null) return false
    const world = { ...worldOf(example), ignoresCase: resources.provider === 'sqlite' }
    const person = world.people[0] as never
    if (truthIn(world, is, 'Person', person) !== true || truthIn(world, isNot, 'Person', person) === true)
      faults.push(`${seed}: the example is none`)
    const database = databaseOf(example, model, resources)
    await scratch.fill(database)
    const asking = { resources, claims: { id: world.caller }, now: 0, opaque: everything }
    const asked = (formula: Formula) => meets(scratch.reader, model, database.root, toCondition(formula, model, asking))
    if (!(await asked(is)) || (await asked(isNot))) faults.push(`${seed}: the reader does not confirm the example`)
    return true
  }
}

function worldOf({ rows, joined, claims: { id = 0 } }: Found): World {
  const list = (name: string) => (rows.get(name) ?? []) as readonly Record<string, never>[]
  const [people, teams, tags] = [list('Person'), list('Team'), list('Tag')]
  const whole = people.map(({ id: own, rank = null, teamId = null }) => ({ id: own as never, rank, teamId }))
  return {
    people: whole,
    teams: teams.map(({ id: own, isOpen = false }) => ({ id: own as never, isOpen })),
    tags: tags.map(({ id: own, name = 'c' }) => ({ id: own as never, name })) as never,
    tagged: joined.map(({ a, b }) => ({ person: people[a]?.id as never, tag: tags[b]?.id as never })),
    caller: Number(id),
  }
}
