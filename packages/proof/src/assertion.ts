import { isFieldAction } from '@prismapi/core/auth/actions'
import { parseCondition } from '@prismapi/jsonapi/condition/parse'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import { both, type Formula, never, reasonsIn } from './formula.ts'
import { type Persona, personaKey, type Who } from './model/persona.ts'
import type { Entry, PolicyModel } from './model/policy-model.ts'
import { atTime, type Run } from './model/symbols.ts'
import { toFormula } from './model/to-formula.ts'
import type { Way } from './model/ways.ts'
import type { Prover } from './prover.ts'

/**
 * A sentence about policies: `MEMBER never update Post where {"authorId":{"not":{"user":"id"}}}`, or
 * `guest never view User.email`.
 */
export interface Assertion {
  readonly text: string
  readonly who: string
  /** What its callers may do at most: `scope read`. Null where nothing but the policies limits them. */
  readonly ceiling: string | null
  readonly isAlways: boolean
  readonly action: string
  readonly model: string
  /** Null where it is about whole rows. */
  readonly field: string | null
  readonly where: unknown
}

/** What became of a sentence. */
export type Verdict =
  | { readonly holds: true }
  | {
      readonly holds: false
      readonly row: Readonly<Record<string, unknown>> | null
      readonly who: Who
      /** The server that it is so on, where not all of them ask the same policy of the model. */
      readonly server?: string
      /** The request that does it, if it is not the action's own: `update of User, relation posts`. */
      readonly by?: string
    }
  /** Code decides, which no formula tells. */
  | { readonly holds: null; readonly opaque: readonly string[] }

/** @throws {Error} for a text that is no sentence. */
export function parseAssertion(text: string): Assertion {
  const found = /^(\S+)(?:\s+with\s+(\S+\s+\S+))?\s+(never|always)\s+(\S+)\s+(\S+)(?:\s+where\s+(.+))?$/s.exec(
    text.trim(),
  )
  if (!found)
    throw new Error(
      `"${text}" is no sentence. Write <who> [with scope <name>], or agent:<name>, and never|always <action> <Model>[.<field>] [where <json>].`,
    )
  const [, named = '', limit, how, action, about, where] = found as unknown as readonly (string | undefined)[]
  // An agent acts for any user.
  const isAgent = named.startsWith('agent:')
  const who = isAgent ? 'user' : named
  const ceiling = isAgent ? named : (limit?.replace(/\s+/, ' ') ?? null)
  if (ceiling !== null && who === 'guest') throw new Error(`"${text}": a guest has no token, and so no ${ceiling}.`)
  const [model, field = null] = (about as string).split('.', 2)
  try {
    const parsed: unknown = where === undefined ? null : JSON.parse(where)
    return {
      text: text.trim(),
      who,
      ceiling,
      action,
      model,
      field,
      isAlways: how === 'always',
      where: parsed,
    } as Assertion
  } catch (error) {
    throw new Error(`"${text}": what stands behind where is no JSON: ${(error as Error).message}`)
  }
}

/** The sentences of a file: a line each; empty lines, and those that begin with #, say nothing. */
export const readAssertions = (text: string): readonly Assertion[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
    .map(parseAssertion)

/**
 * Does the sentence hold on every server that has the model, for every caller that it is about.
 * @throws {Error} for a name that the application does not know.
 */
export async function checkAssertion(prover: Prover, policies: PolicyModel, assertion: Assertion): Promise<Verdict> {
  const entries = entriesOf(prover, policies, assertion)
  const opaque = new Set<string>()
  for (const entry of entries) {
    const given = await givenOf(prover, entry, assertion)
    for (const { formula, by } of waysOf(prover, entry, assertion)) {
      const wanted = (isCertain: boolean) => [
        { formula, isTrue: !assertion.isAlways, isCertain },
        { formula: given, isTrue: true, isCertain: true },
      ]
      const field = assertion.field ?? undefined
      const decision = by === undefined ? !assertion.isAlways : null
      const example = await prover.example({ entry, field, wanted: wanted(true), decision })
      if (example && 'reason' in example) {
        opaque.add(example.reason)
        continue
      }
      if (example)
        return {
          holds: false,
          ...example,
          ...(!isShared(prover, entry.model) && { server: entry.server }),
          ...(by !== undefined && { by }),
        }
      const meta = prover.app.resources.models[entry.model] as ModelMeta
      if (reasonsIn(formula).length > 0 && (await prover.find(meta, wanted(false))) !== null)
        for (const reason of reasonsIn(formula)) opaque.add(reason)
    }
  }
  return opaque.size === 0 ? { holds: true } : { holds: null, opaque: [...opaque] }
}

/** Do all servers that have the model ask the same policy. */
const isShared = ({ app }: Prover, model: string): boolean =>
  new Set(
    app.servers
      .filter(({ schemas }) => schemas.byModel.has(model))
      .map(({ policies }) => policies.get(model)?.constructor),
  ).size <= 1

/** What the sentence is about: the action itself and, where it never happens, all else that does the same to a row. */
function waysOf(
  prover: Prover,
  entry: Entry,
  assertion: Assertion,
): readonly (Pick<Way, 'formula'> & { readonly by?: string })[] {
  const { field, isAlways } = assertion
  const others = (entry.ways ?? []).filter(({ fields }) => field === null || fields === null || fields.includes(field))
  return [{ formula: allowedBy(prover, entry, assertion) }, ...(isAlways ? [] : others)]
}

/** When the action is allowed, on the field where the sentence names one. */
function allowedBy({ app }: Prover, { formula, fields = {}, action, model }: Entry, { field }: Assertion): Formula {
  if (field === null) return formula
  if (Object.hasOwn(fields, field)) return both(formula, fields[field] as Formula)
  if (!isFieldAction(action)) throw new Error(`${action} is about whole rows: leave .${field} out.`)
  // A column that the server hides from everybody.
  if (app.resources.models[model]?.columns[field]) return never
  throw unknownName(`field of ${model}`, field, Object.keys(fields))
}

function entriesOf(prover: Prover, policies: PolicyModel, { who, model, action }: Assertion): readonly Entry[] {
  const callers = new Set(callersOf(prover, who).map(personaKey))
  const ofModel = policies.filter((entry) => entry.model === model)
  if (ofModel.length === 0)
    throw unknownName(
      'model',
      model,
      policies.map((entry) => entry.model),
    )
  const ofAction = ofModel.filter((entry) => entry.action === action)
  if (ofAction.length === 0)
    throw unknownName(
      `action of ${model}`,
      action,
      ofModel.map((entry) => entry.action),
    )
  return ofAction.filter(({ persona }) => callers.has(persona))
}

function callersOf({ personas }: Prover, who: string): readonly Persona[] {
  if (who === 'guest') return personas.filter(({ kind }) => kind === 'guest')
  const users = personas.filter((each): each is Extract<Persona, { kind: 'user' }> => each.kind === 'user')
  if (who === 'user' || who === 'self') return users
  const named = users.filter(({ fixed }) => Object.values(fixed).includes(who))
  if (named.length > 0) return named
  const values = users.flatMap(({ fixed }) => Object.values(fixed)).filter((value) => typeof value === 'string')
  throw unknownName('caller', who, ['guest', 'user', 'self', ...(values as string[])])
}

/** What a sentence supposes of the row: its `where`, and for `self` that it is the caller's own. */
async function givenOf(prover: Prover, entry: Entry, { who, where }: Assertion): Promise<Formula> {
  const { resources } = prover.app
  const model = resources.models[entry.model] as ModelMeta
  const persona = prover.persona(entry.persona)
  if (where !== null && !entry.onRow) throw new Error(`${entry.action} is about no row: leave where out.`)
  const runs = prover.runs(persona)
  const read = (run: Run) => atTime(run.now, () => parseCondition(filledIn(where, run), model, resources.models))
  const own = who === 'self' ? ownRow(prover, model) : null
  const supposed = where === null ? null : toFormula([await read(runs[0]), await read(runs[1])], runs)
  return both(...[own, supposed].filter((formula) => formula !== null))
}

/** `{ "user": "id" }` is the caller's id, and `{ "now": 0 }` the time of the request, and so many milliseconds. */
function filledIn(where: unknown, run: Run): unknown {
  if (Array.isArray(where)) return where.map((each) => filledIn(each, run))
  if (typeof where !== 'object' || where === null) return where
  const [[name, value] = [], ...others] = Object.entries(where)
  if (others.length === 0 && name === 'now' && typeof value === 'number') return new Date(run.now + value)
  if (others.length === 0 && name === 'user' && typeof value === 'string') return claimOf(run, value)
  return Object.fromEntries(Object.entries(where).map(([key, each]) => [key, filledIn(each, run)]))
}

function claimOf({ user }: Run, name: string): unknown {
  if (user !== null && Object.hasOwn(user, name)) return user[name]
  throw new Error(user === null ? `A guest has no ${name}.` : unknownName('claim', name, Object.keys(user)).message)
}

/** The row is the caller itself, or names the caller by the one relation that leads there. */
export function ownRow({ app }: Prover, model: ModelMeta): Formula {
  const users = app.userType.model
  const isUser = model.name === users
  const ways = Object.values(model.relations).filter((relation) => relation.model === users && relation.foreignKey)
  const [way] = ways
  const pairs: readonly (readonly [string, string])[] = isUser
    ? model.key.map((column) => [column, column])
    : (way?.foreignKey?.columns ?? []).map((column, i) => [column, way?.foreignKey?.references[i] as string])
  if (users === null) throw new Error('self: the user that Register declares is a row of no model.')
  if (!isUser && ways.length !== 1)
    throw new Error(`self: ${ways.length} relations of ${model.name} lead to users. Say which row is meant by where.`)
  const unknown = pairs.find(([, claim]) => !app.userType.claims[claim])
  if (unknown) throw new Error(`self: the user that Register declares has no ${unknown[1]}.`)
  return both(
    ...pairs.map(
      ([column, claim]): Formula => ({
        kind: 'compare',
        column,
        operator: 'equals',
        value: { claim },
        mode: null,
      }),
    ),
  )
}

/** What to say of a name that nothing has, with the one that was meant, or those that there are. */
export function unknownName(kind: string, name: string, known: readonly string[]): Error {
  const names = [...new Set(known)]
  const meant = nearest(name, names)
  return new Error(`There is no ${kind} "${name}". ${meant ? `Did you mean ${meant}?` : `Known: ${names.join(', ')}.`}`)
}
