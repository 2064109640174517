import { always, both, either, type Formula, never, reasonsIn } from './formula.ts'
import { type Persona, personaName, type Who } from './model/persona.ts'
import type { Entry, PolicyModel } from './model/policy-model.ts'
import type { Way } from './model/ways.ts'
import type { Prover } from './prover.ts'
import { strangeIn } from './solve/places.ts'

/** Something that is allowed here and not there, or the other way round. */
export interface Change {
  readonly model: string
  readonly action: string
  readonly field?: string
  readonly who: Who
  readonly was: Allowed
  readonly is: Allowed
  /** `update of User, relation posts`: the request that does it, where that is another one than the action's own. */
  readonly by?: string
  /** A row that it is so for; null for an action that is about no row. */
  readonly row: Readonly<Record<string, unknown>> | null
  /** Left out where it is so on every server that has the model. */
  readonly servers?: readonly string[]
}

export type Allowed = 'allowed' | 'denied'

/** What no formula tells. */
export interface Unknown {
  readonly model: string
  readonly action: string
  readonly reason: string
}

export interface Differences {
  readonly changes: readonly Change[]
  readonly opaque: readonly Unknown[]
  /** The kind of caller of each change. */
  readonly callers: readonly string[]
}

/** What policies allow on one side and not on the other, in both directions; each change once for a kind of caller. */
export async function differences(prover: Prover, here: PolicyModel, there: PolicyModel): Promise<Differences> {
  const pairs = pairsOf(here, there)
  const opaque = new Map<string, Unknown>()
  const found = new Map<string, { change: Change; caller: string; servers: string[] }>()
  const told = ({ entry: { model, action }, field }: Pair, reason: string) => {
    const unknown = { model, action, reason: field === undefined ? reason : `${field}: ${reason}` }
    opaque.set(JSON.stringify(unknown), unknown)
  }
  for (const pair of pairs) {
    const { entry, field, by, is, was } = pair
    const { model, action } = entry
    const meta = prover.app.resources.models[model]
    const strange = meta ? strangeIn(was, meta, prover.app.resources) : `the model ${model} is not here any more`
    const isSame = JSON.stringify(is) === JSON.stringify(was)
    const [hereSaid, thereSaid] = [reasonsIn(is), reasonsIn(was)]
    // Code that does the same to rows here and there is no news.
    const isNews = (reason: string) => by === undefined || hereSaid.includes(reason) !== thereSaid.includes(reason)
    const reasons = [...hereSaid, ...thereSaid].filter(isNews)
    for (const reason of [...(strange === null ? [] : [strange]), ...reasons]) told(pair, reason)
    if (strange !== null || isSame) continue
    for (const isAllowed of [true, false]) {
      const key = JSON.stringify([model, action, field, by, entry.persona, isAllowed])
      const known = found.get(key)
      const example = await prover.example({
        entry,
        field,
        wanted: [
          { formula: is, isTrue: isAllowed, isCertain: true },
          { formula: was, isTrue: !isAllowed, isCertain: true },
        ],
        decision: by === undefined ? isAllowed : null,
      })
      if (example === null) continue
      if ('reason' in example) told(pair, example.reason)
      else if (known) known.servers.push(entry.server)
      else
        found.set(key, {
          ...changeOf(pair, isAllowed, example, prover.persona(entry.persona)),
          servers: [entry.server],
        })
    }
  }
  for (const name of onlyOne(here, there)) {
    const unknown = { model: '*', action: '*', reason: `the server ${name} is on one side alone` }
    opaque.set(JSON.stringify(unknown), unknown)
  }
  const serversOf = (model: string) =>
    new Set(pairs.filter(({ entry }) => entry.model === model).map(({ entry }) => entry.server))
  return {
    changes: [...found.values()].map(({ change, servers }) =>
      servers.length === serversOf(change.model).size ? change : { ...change, servers },
    ),
    opaque: [...opaque.values()],
    callers: [...found.values()].map(({ caller }) => caller),
  }
}

function changeOf(
  { entry: { model, action }, field, by }: Pair,
  isAllowed: boolean,
  { row, who }: Pick<Change, 'row' | 'who'>,
  persona: Persona,
) {
  const [was, is]: readonly [Allowed, Allowed] = isAllowed ? ['denied', 'allowed'] : ['allowed', 'denied']
  const change: Change = {
    model,
    action,
    ...(field !== undefined && { field }),
    who,
    was,
    is,
    row,
    ...(by !== undefined && { by }),
  }
  return { change, caller: personaName(persona) }
}

interface Pair {
  readonly entry: Entry
  /** Left out where it is about the whole row. */
  readonly field?: string
  /** Left out where it is the action itself. */
  readonly by?: string
  readonly is: Formula
  readonly was: Formula
}

/** The same entry here and there; what one side lacks, it denies. */
function pairsOf(here: PolicyModel, there: PolicyModel): readonly Pair[] {
  const keyOf = ({ server, model, action, persona }: Entry) => JSON.stringify([server, model, action, persona])
  const before = new Map(there.map((entry) => [keyOf(entry), entry]))
  const now = new Map(here.map((entry) => [keyOf(entry), entry]))
  const skipped = new Set(onlyOne(here, there))
  return [...new Map([...before, ...now])]
    .filter(([, { server }]) => !skipped.has(server))
    .flatMap(([key, entry]) => {
      const [is, was] = [now.get(key), before.get(key)]
      const rows = { entry, is: is?.formula ?? never, was: was?.formula ?? never }
      const ways = wayPairs(entry, is?.ways ?? [], was?.ways ?? [])
      return [rows, ...(is && was ? fieldPairs(is, was) : []), ...ways]
    })
}

/** What else does to rows what the action does, by what it is called; what one side lacks does nothing. */
function wayPairs(entry: Entry, is: readonly Way[], was: readonly Way[]): readonly Pair[] {
  const of = (ways: readonly Way[], by: string) =>
    either(...ways.filter((way) => way.by === by).map(({ formula }) => formula))
  const names = new Set([...was, ...is].map(({ by }) => by))
  return [...names].map((by) => ({ entry, by, is: of(is, by), was: of(was, by) }))
}

/** Fields of which the rules say different things, or what no formula tells; of all others the rows tell enough. */
function fieldPairs(is: Entry, was: Entry): readonly Pair[] {
  const names = new Set([is, was].flatMap(({ fields = {} }) => Object.keys(fields)))
  return [...names].flatMap((field) => {
    const [here, there] = [conditionOn(field, is, was), conditionOn(field, was, is)]
    if (JSON.stringify(here) === JSON.stringify(there) && reasonsIn(here).length === 0) return []
    return [{ entry: is, field, is: both(is.formula, here), was: both(was.formula, there) }]
  })
}

/** A field of one side alone is a change of its schema, and not of its policies, unless rules hide it from some. */
function conditionOn(field: string, { fields }: Entry, other: Entry): Formula {
  if (!fields) return always
  return fields[field] ?? (isAlways(other.fields?.[field]) ? always : never)
}

const isAlways = (formula: Formula | undefined): boolean => formula?.kind === 'constant' && formula.holds

function onlyOne(here: PolicyModel, there: PolicyModel): readonly string[] {
  const [a, b] = [here, there].map((model) => new Set(model.map(({ server }) => server))) as [Set<string>, Set<string>]
  return [...new Set([...a, ...b])].filter((name) => !a.has(name) || !b.has(name))
}
