import type { Reader } from '@prismapi/core/database/reader'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { all, any, equals, everything, isEverything, nothing } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { NotKnown } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { meets, rowsThat, settled } from './confirm/ask.ts'
import { decideReally } from './confirm/real-decision.ts'
import { toCondition } from './confirm/to-condition.ts'
import { always, either, type Formula, never, partsOf, reasonsIn } from './formula.ts'
import { Inverter } from './invert.ts'
import { type Persona, personaKey } from './model/persona.ts'
import type { Entry } from './model/policy-model.ts'
import { atTime, withUnknown } from './model/symbols.ts'
import type { Proved } from './prover.ts'
import type { Certainty } from './solve/truth.ts'

/** Who may do something with a row. */
export interface Answer {
  readonly guest: boolean
  /** Keys of users. */
  readonly users: readonly string[]
  /** Those of whom only code can say it that needs a request, or failed, and those that it is not asked about. */
  readonly undecided: readonly string[]
  /** Why code could not say it, a guest among them, and for how many callers. */
  readonly reasons: ReadonlyMap<string, number>
  /** What code threw that needs no more than it had: its faults, and for how many callers. */
  readonly faults: ReadonlyMap<string, number>
  /** Those among them whom the action itself is not allowed, by the request with which they do the same to the row. */
  readonly by: readonly ByOther[]
  /** Code that may do it, too, for whom its own permission lets. */
  readonly code: readonly string[]
}

/** Who changes a row by a request that is about something else. */
export interface ByOther {
  /** `update of User, relation posts` */
  readonly by: string
  readonly guest: boolean
  readonly users: readonly string[]
}

/** So many users are asked about one by one, where code decides. */
const mostByCode = 1000

export interface WhoQuery {
  readonly app: Proved
  readonly personas: readonly Persona[]
  /** The entries of the action, one for each kind of caller. */
  readonly entries: readonly Entry[]
  /** Null for an action that is about no row. */
  readonly row: Row | null
  readonly reader: Reader
  readonly now: number
}

/**
 * Who may do it: the row's values replace its columns, so the formulas become a condition on users, and one query.
 * Where code decides, it is run for each user, up to a limit.
 *
 * @throws {Error} where users are no rows of a model, or a claim is none of its columns.
 */
export async function whoMay(query: WhoQuery): Promise<Answer> {
  const { entries } = query
  const own = await whoOf(query, {
    formulaOf: (persona) => entryOf(entries, persona)?.formula ?? null,
    decide: (_, user) => decide(query, entries[0] as Entry, user),
  })
  const by: ByOther[] = []
  const known = new Set(own.users)
  const undecided = new Set(own.undecided)
  const code = new Set<string>()
  for (const name of new Set(entries.flatMap(({ ways = [] }) => ways.map((way) => way.by)))) {
    const formulaOf = (persona: Persona) => {
      const formula = wayOf(entryOf(entries, persona), name)
      const reasons = formula ? reasonsIn(formula) : []
      for (const reason of reasons) code.add(reason.startsWith(name) ? reason : `${name}: ${reason}`)
      return reasons.length === 0 ? formula : null
    }
    const other = await whoOf(query, {
      formulaOf,
      decide: (persona, user) => holdsFor(query, formulaOf(persona) ?? never, user),
    })
    const [guest, users] = [other.guest && !own.guest, other.users.filter((user) => !known.has(user))]
    if (guest || users.length > 0) by.push({ by: name, guest, users })
    for (const user of other.undecided) undecided.add(user)
    for (const [reason, count] of other.reasons) own.reasons.set(reason, count)
  }
  const users = new Set([...own.users, ...by.flatMap((each) => each.users)])
  return {
    ...own,
    guest: own.guest || by.some((each) => each.guest),
    users: inOrder(users),
    undecided: inOrder([...undecided].filter((user) => !users.has(user))),
    by,
    code: [...code],
  }
}

const entryOf = (entries: readonly Entry[], persona: Persona): Entry | undefined =>
  entries.find((each) => each.persona === personaKey(persona))

/** When the way is open; null where there is none. */
function wayOf(entry: Entry | undefined, name: string): Formula | null {
  const formulas = (entry?.ways ?? []).filter(({ by }) => by === name).map(({ formula }) => formula)
  return formulas.length === 0 ? null : either(...formulas)
}

/** What the database says of one user, where no code decides. */
async function holdsFor({ app, entries, row, reader, now }: WhoQuery, formula: Formula, user: Row | null) {
  const { resources } = app
  const model = resources.models[(entries[0] as Entry).model] as ModelMeta
  const asking = { resources, claims: user ?? {}, now, opaque: nothing }
  const left = await settled(formula, reader, asking)
  if (row === null) return left === always
  return meets(reader, model, row, toCondition(left, model, asking))
}

interface Deciding {
  /** Null where the callers have no such action. */
  readonly formulaOf: (persona: Persona) => Formula | null
  /** What is said of one user, where no condition on users says it. */
  readonly decide: (persona: Persona, user: Row | null) => Promise<boolean>
}

async function whoOf(query: WhoQuery, { formulaOf, decide }: Deciding) {
  const { app, personas, entries, reader } = query
  const users = app.resources.models[app.userType.model ?? '']
  if (!users)
    throw new Error(
      'The user that Register declares is a row of no model: declare it by the type of a model, such as Pick<User, "id">, or with the key of the model User.',
    )
  const names = Object.entries(app.userType.claims).flatMap(([name, { kind }]) => (kind === 'unknown' ? [] : [name]))
  const foreign = names.find((name) => !Object.hasOwn(users.columns, name))
  if (foreign !== undefined) throw new Error(`${users.name} has no column for the claim ${foreign}.`)
  const certain: Condition[] = []
  const possible: Condition[] = []
  const inverter = new Inverter({ resources: app.resources, reader, now: query.now, users })
  const [reasons, faults] = [new Map<string, number>(), new Map<string, number>()]
  /** What the code says; null where it does not. */
  const decided = async (persona: Persona, user: Row | null): Promise<boolean | null> => {
    try {
      return await decide(persona, user)
    } catch (error) {
      const { message } = error as Error
      const thrown = isUnknown(error) ? reasons : faults
      thrown.set(message, (thrown.get(message) ?? 0) + 1)
      return null
    }
  }
  let guest = false
  for (const persona of personas) {
    const formula = formulaOf(persona)
    if (!formula) continue
    const at = { model: app.resources.models[(entries[0] as Entry).model] as ModelMeta, row: query.row ?? {} }
    const truth = async (certainty: Certainty) => (await inverter.truth(formula, at, certainty)).true
    if (persona.kind === 'guest') {
      guest =
        isEverything(await truth('certain')) ||
        (isEverything(await truth('possible')) && (await decided(persona, null)) === true)
      continue
    }
    const isSuch = all(...Object.entries(persona.fixed).map(([name, value]) => equals(users, name, value)))
    const isCertain = await truth('certain')
    certain.push(all(isSuch, isCertain))
    if ([...partsOf(formula)].some(({ kind }) => kind === 'opaque' || kind === 'somewhere'))
      possible.push(all(isSuch, await truth('possible'), orUnknown(isCertain)))
  }
  const columns = [...new Set([...users.key, ...names])]
  const found = new Set(
    (await rowsThat(reader, users, { columns: users.key, condition: any(certain) })).map((user) => keyOf(users, user)),
  )
  const open = await rowsThat(reader, users, { columns, condition: any(possible) })
  const undecided: string[] = []
  for (const [i, user] of open.entries()) {
    const key = keyOf(users, user)
    if (found.has(key)) continue
    const persona = personas.find((each) => each.kind === 'user' && isOf(each.fixed, user)) as Persona
    const answer = i < mostByCode ? await decided(persona, user) : null
    if (answer === null) undecided.push(key)
    else if (answer) found.add(key)
  }
  if (open.length > mostByCode)
    reasons.set(`each of them has to be asked about, which is done for ${mostByCode} users`, open.length - mostByCode)
  return { guest, users: inOrder(found), undecided: inOrder(undecided), reasons, faults }
}

const keyOf = ({ key }: ModelMeta, row: Row): string => key.map((column) => String(row[column])).join(',')

const inOrder = (keys: Iterable<string>): readonly string[] =>
  [...keys].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

const isOf = (fixed: Row, user: Row): boolean => Object.entries(fixed).every(([name, value]) => user[name] === value)

/** Those who are certain are not asked about again. */
const orUnknown = (condition: Condition): Condition => (isEverything(condition) ? nothing : everything)

/** What the application's code says. An error that it throws for the client is a no. */
async function decide(
  { app, row, reader, now }: WhoQuery,
  { server: name, model, action }: Entry,
  user: Row | null,
): Promise<boolean> {
  const server = app.servers.find((each) => each.name === name) as CompiledServer
  const schema = server.schemas.byModel.get(model) as ResourceSchema
  const caller = user && withUnknown(user, app.userType)
  try {
    return await atTime(now, () => decideReally({ server, schema, action, user: caller, row, reader }))
  } catch (error) {
    if (error instanceof JsonApiError && error.status < 500) return false
    throw error
  }
}

/** Did the code ask for what only a request has. */
const isUnknown = (error: unknown): boolean =>
  error instanceof NotKnown || (error instanceof Error && error.cause instanceof NotKnown)
