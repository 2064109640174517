import { everything } from '../../../src/condition/build.ts'
import type { Resources } from '../../../src/model/meta.ts'
import { meets } from '../../../src/proof/confirm/ask.ts'
import { databaseOf } from '../../../src/proof/confirm/database.ts'
import { openScratch, type ScratchConnection } from '../../../src/proof/confirm/scratch.ts'
import { toCondition } from '../../../src/proof/confirm/to-condition.ts'
import type { Formula } from '../../../src/proof/formula.ts'
import type { ClaimType } from '../../../src/proof/model/persona.ts'
import { type Found, find } from '../../../src/proof/solve/solve.ts'
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

/** Pairs of policies by the dice: the solver against every small database, and each of its examples against the reader. */
export async function comparePairs(
  resources: Resources,
  connection: ScratchConnection,
  { from, pairs }: { readonly from: number; readonly pairs: number },
): Promise<Tally> {
  const scratch = await openScratch(connection, resources)
  const model = personOf(resources)
  const faults: string[] = []
  let [differing, same] = [0, 0]
  for (let seed = from; seed < from + pairs; seed++) {
    const roll = dice(seed)
    const a = randomPolicy(roll)
    const b = roll() < 0.5 ? randomPolicy(roll) : rewritten(a, roll, roll() < 0.5 ? 0 : 0.1)
    const wanted = (formula: Formula, isTrue: boolean) => ({ formula, isTrue, isCertain: true })
    const ask = (is: Formula, isNot: Formula) =>
      find({ model, resources, claims, now: 0 }, [wanted(is, true), wanted(isNot, false)])
    const found = [
      [a, b, ask(a, b)],
      [b, a, ask(b, a)],
    ] as const
    const isFound = found.some(([, , example]) => example !== null)
    if (isFound) differing++
    else same++
    if (!isFound && differByForce(a, b)) faults.push(`${seed}: a difference was not found`)
    for (const [is, isNot, example] of found) {
      if (example === null) continue
      const world = { ...worldOf(example), ignoresCase: resources.provider === 'sqlite' }
      const person = world.people[0] as never
      if (truthIn(world, is, 'Person', person) !== true || truthIn(world, isNot, 'Person', person) === true)
        faults.push(`${seed}: the example is none`)
      const database = databaseOf(example, model, resources)
      await scratch.fill(database)
      const asked = (formula: Formula) =>
        meets(
          scratch.reader,
          model,
          database.root,
          toCondition(formula, model, { resources, claims: { id: world.caller }, now: 0, opaque: everything }),
        )
      if (!(await asked(is)) || (await asked(isNot))) faults.push(`${seed}: the reader does not confirm the example`)
    }
  }
  await scratch.close()
  return { differing, same, faults }
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
