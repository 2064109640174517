import { all, any, compare, equals, everything, isEverything, not, nothing } from '../condition/build.ts'
import type { Condition, Operator } from '../condition/condition.ts'
import type { Reader } from '../database/reader.ts'
import type { ColumnMeta, ModelMeta, RelationMeta } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import { meets, rowsThat } from './confirm/ask.ts'
import { decideReally } from './confirm/real-decision.ts'
import { type Asking, toCondition } from './confirm/to-condition.ts'
import { type Comparison, type Formula, partsOf, type Term, termsOf } from './formula.ts'
import { type Persona, personaKey } from './model/persona.ts'
import type { Entry } from './model/policy-model.ts'
import { atTime } from './model/symbols.ts'
import type { Proved } from './prover.ts'
import { pairsOf } from './solve/places.ts'
import type { Certainty } from './solve/truth.ts'

/** Who may do something with a row. */
export interface Answer {
  readonly guest: boolean
  /** Keys of users. */
  readonly users: readonly string[]
  /** Those of whom only code can say it, and more than it is asked about; or the code needs a request. */
  readonly undecided: readonly string[]
}

/** So many users are asked about one by one, where code decides. */
const mostAsked = 1000

export interface WhoAsked {
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
 * Who may do it: the row's values take the place of its columns, so what is left of the formulas is a condition on users, and
 * one query. Where code decides, it is asked for each user, up to a limit.
 *
 * @throws {Error} where users are no rows of a model, or a claim is none of its columns.
 */
export async function whoMay(asked: WhoAsked): Promise<Answer> {
  const { app, personas, entries, reader } = asked
  const users = app.resources.models[app.userType.model ?? '']
  if (!users) throw new Error('The users that Register declares are rows of no model.')
  const certain: Condition[] = []
  const possible: Condition[] = []
  let guest = false
  for (const persona of personas) {
    const entry = entries.find((each) => each.persona === personaKey(persona))
    if (!entry) continue
    const truth = async (certainty: Certainty) => (await invert(asked, { entry, users, certainty })).true
    if (persona.kind === 'guest') {
      guest =
        isEverything(await truth('certain')) ||
        (isEverything(await truth('possible')) && (await decide(asked, entry, null)) === true)
      continue
    }
    const isSuch = all(...Object.entries(persona.fixed).map(([name, value]) => equals(users, name, value)))
    const isCertain = await truth('certain')
    certain.push(all(isSuch, isCertain))
    if ([...partsOf(entry.formula)].some(({ kind }) => kind === 'opaque'))
      possible.push(all(isSuch, await truth('possible'), orUnknown(isCertain)))
  }
  const names = Object.entries(app.userType.claims).flatMap(([name, { kind }]) => (kind === 'unknown' ? [] : [name]))
  const columns = [...new Set([...users.key, ...names])]
  const found = new Set(
    (await rowsThat(reader, users, { columns: users.key, condition: any(certain) })).map((user) => keyOf(users, user)),
  )
  const open = await rowsThat(reader, users, { columns, condition: any(possible) })
  const undecided: string[] = []
  for (const [i, user] of open.entries()) {
    const key = keyOf(users, user)
    if (found.has(key)) continue
    const answer = i < mostAsked ? await decide(asked, entries[0] as Entry, user) : null
    if (answer === null) undecided.push(key)
    else if (answer) found.add(key)
  }
  return { guest, users: inOrder(found), undecided: inOrder(undecided) }
}

const keyOf = ({ key }: ModelMeta, row: Row): string => key.map((column) => String(row[column])).join(',')

const inOrder = (keys: Iterable<string>): readonly string[] =>
  [...keys].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

/** Those who are certain are not asked about again. */
const orUnknown = (condition: Condition): Condition => (isEverything(condition) ? nothing : everything)

/** What the application's code says; null where it needs more than there is. */
async function decide(
  { app, row, reader, now }: WhoAsked,
  { server: name, model, action }: Entry,
  user: Row | null,
): Promise<boolean | null> {
  const server = app.servers.find((each) => each.name === name)
  const schema = server?.schemas.byModel.get(model)
  if (!server || !schema) return null
  try {
    return await atTime(now, () => decideReally({ server, schema, action, user, row, reader }))
  } catch {
    return null
  }
}

/** Of which users a formula is true for the row, and of which it is false. */
interface Truth {
  readonly true: Condition
  readonly false: Condition
}

interface Inverting {
  readonly entry: Entry
  readonly users: ModelMeta
  readonly certainty: Certainty
}

const other = (certainty: Certainty): Certainty => (certainty === 'certain' ? 'possible' : 'certain')

function invert(asked: WhoAsked, { entry, users, certainty }: Inverting): Promise<Truth> {
  const model = asked.app.resources.models[entry.model] as ModelMeta
  return new Inverter(asked, users).truth(entry.formula, { model, row: asked.row ?? {} }, certainty)
}

interface At {
  readonly model: ModelMeta
  readonly row: Row
}

const toTruth = (holds: boolean): Truth => ({ true: holds ? everything : nothing, false: holds ? nothing : everything })

class Inverter {
  private readonly asked: WhoAsked
  private readonly users: ModelMeta

  constructor(asked: WhoAsked, users: ModelMeta) {
    this.asked = asked
    this.users = users
  }

  async truth(formula: Formula, at: At, certainty: Certainty): Promise<Truth> {
    const parts = (given: readonly Formula[]) => Promise.all(given.map((part) => this.truth(part, at, certainty)))
    switch (formula.kind) {
      case 'constant':
        return toTruth(formula.holds)
      case 'opaque':
        return certainty === 'certain' ? { true: nothing, false: nothing } : { true: everything, false: everything }
      case 'not': {
        const part = await this.truth(formula.part, at, certainty)
        return { true: part.false, false: part.true }
      }
      case 'all': {
        const all_ = await parts(formula.parts)
        return { true: all(...all_.map((part) => part.true)), false: any(all_.map((part) => part.false)) }
      }
      case 'any': {
        const any_ = await parts(formula.parts)
        return { true: any(any_.map((part) => part.true)), false: all(...any_.map((part) => part.false)) }
      }
      default:
        return this.leaf(formula, at, certainty)
    }
  }

  private async leaf(
    formula: Exclude<Formula, { kind: 'all' | 'any' | 'not' }>,
    at: At,
    certainty: Certainty,
  ): Promise<Truth> {
    const inside = [...partsOf(formula)]
    const isOpen = inside.some(
      (part) => part.kind === 'opaque' || (part.kind === 'compare' && termsOf(part).some((term) => 'claim' in term)),
    )
    if (!isOpen) return this.byReader(formula, at)
    if (formula.kind === 'compare') return this.compared(formula, at)
    if (formula.kind === 'related') return this.related(formula, at, certainty)
    throw new Error(`${formula.kind} has no claim.`)
  }

  /** Nothing of the caller is in it: the reader says it of the row. */
  private async byReader(formula: Formula, { model, row }: At): Promise<Truth> {
    const { app, reader, now } = this.asked
    const asking: Asking = { resources: app.resources, claims: {}, now, opaque: nothing }
    const condition = toCondition(formula, model, asking)
    const isTrue = await meets(reader, model, row, condition)
    const isFalse = !isTrue && (await meets(reader, model, row, not(condition)))
    return { true: isTrue ? everything : nothing, false: isFalse ? everything : nothing }
  }

  private compared(comparison: Comparison, { model, row }: At): Truth {
    const { operator } = comparison
    if (operator !== 'in' && operator !== 'notIn') return this.single(comparison, { model, row })
    const each = termsOf(comparison).map((term) =>
      this.single({ ...comparison, operator: 'equals', value: term }, { model, row }),
    )
    const among = { true: any(each.map((truth) => truth.true)), false: all(...each.map((truth) => truth.false)) }
    return operator === 'in' ? among : { true: among.false, false: among.true }
  }

  /** The row's value is known: what is compared is the user's column. */
  private single({ column, operator, value, mode }: Comparison, { model, row }: At): Truth {
    const term = value as Term
    const known = row[column]
    const turned = turn[operator]
    if (known === null || known === undefined) return { true: nothing, false: nothing }
    if (!('claim' in term)) {
      const isSame = String(known instanceof Date ? known.toISOString() : known) === String(constantText(term))
      return toTruth(operator === 'equals' ? isSame : !isSame)
    }
    if (turned === undefined || mode !== null)
      throw new Error(`${model.name}.${column}: who may be asked with ${operator} is not known.`)
    const own = this.users.columns[term.claim] as ColumnMeta | undefined
    if (!own) throw new Error(`${this.users.name} has no column for the claim ${term.claim}.`)
    const condition = compare(own, turned, known, null)
    return { true: condition, false: not(condition) }
  }

  /** The rows behind the relation are read, and each of them asked. */
  private async related(
    { relation: name, quantifier, part }: Extract<Formula, { kind: 'related' }>,
    { model, row }: At,
    certainty: Certainty,
  ): Promise<Truth> {
    const relation = model.relations[name] as RelationMeta
    const target = this.asked.app.resources.models[relation.model] as ModelMeta
    const rows = await this.behind(relation, target, { model, row })
    const some = async (truth: keyof Truth, at: Certainty) =>
      any(
        (await Promise.all(rows.map((each) => this.truth(part, { model: target, row: each }, at)))).map(
          (each) => each[truth],
        ),
      )
    switch (quantifier) {
      case 'some':
        return { true: await some('true', certainty), false: not(await some('true', other(certainty))) }
      case 'none':
        return { true: not(await some('true', other(certainty))), false: await some('true', certainty) }
      case 'every':
        return { true: not(await some('false', other(certainty))), false: await some('false', certainty) }
      case 'is':
        return {
          true: await some('true', certainty),
          false: rows.length === 0 ? everything : await some('false', certainty),
        }
      default:
        return quantifier satisfies never
    }
  }

  private behind(relation: RelationMeta, target: ModelMeta, { model, row }: At): Promise<readonly Row[]> {
    const { app, reader } = this.asked
    const columns = Object.values(target.columns).filter(({ type, isList }) => type !== 'Json' && !isList)
    const pairs = pairsOf(relation, app.resources)
    const inverse = relation.inverse === null ? undefined : target.relations[relation.inverse]
    const isThis = all(...model.key.map((column) => equals(model, column, row[column])))
    const condition = pairs
      ? all(...pairs.map(([own, far]) => (row[own] === null ? nothing : equals(target, far, row[own]))))
      : ({ kind: 'related', relation: inverse as RelationMeta, quantifier: 'some', condition: isThis } as const)
    return rowsThat(reader, target, { columns: columns.map(({ name }) => name), condition })
  }
}

/** `column < claim` is `claim > column`. */
const turn: Readonly<Partial<Record<Operator, Operator>>> = {
  ...{ equals: 'equals', not: 'not', lt: 'gt', lte: 'gte', gt: 'lt', gte: 'lte' },
}

const constantText = (term: Exclude<Term, { claim: string }>): unknown => {
  if (!('value' in term)) return null
  const { value } = term
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : value
}
