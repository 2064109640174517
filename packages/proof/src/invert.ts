import type { Reader } from '@prismapi/core/database/reader'
import { all, any, compare, equals, everything, not, nothing } from '@prismapi/jsonapi/condition/build'
import type { Condition, Operator } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { meets, rowsThat, settled } from './confirm/ask.ts'
import { type Asking, toCondition } from './confirm/to-condition.ts'
import { always, type Comparison, type Formula, partsOf, type Somewhere, type Term, termsOf } from './formula.ts'
import { pairsOf } from './solve/places.ts'
import type { Certainty } from './solve/truth.ts'

/** What formulas are turned into conditions on users with. */
export interface Inverting {
  readonly resources: Resources
  readonly reader: Reader
  readonly now: number
  readonly users: ModelMeta
}

/** A row that a formula is about. */
export interface At {
  readonly model: ModelMeta
  readonly row: Row
}

/** Of which users a formula is true for the row, and of which it is false. */
export interface Truth {
  readonly true: Condition
  readonly false: Condition
}

const other = (certainty: Certainty): Certainty => (certainty === 'certain' ? 'possible' : 'certain')

const toTruth = (holds: boolean): Truth => ({ true: holds ? everything : nothing, false: holds ? nothing : everything })

/** Is it code, or a claim of the caller, that decides. */
const isOpen = (formula: Formula): boolean =>
  [...partsOf(formula)].some(
    (part) => part.kind === 'opaque' || (part.kind === 'compare' && termsOf(part).some((term) => 'claim' in term)),
  )

/** Turns formulas about a row into conditions on users: the values of the row take the place of its columns. */
export class Inverter {
  private readonly given: Inverting
  private readonly users: ModelMeta

  constructor(given: Inverting) {
    this.given = given
    this.users = given.users
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
      case 'somewhere':
        return this.somewhere(formula, certainty)
      default:
        return this.leaf(formula, at, certainty)
    }
  }

  private async leaf(
    formula: Exclude<Formula, { kind: 'all' | 'any' | 'not' | 'somewhere' }>,
    at: At,
    certainty: Certainty,
  ): Promise<Truth> {
    if (!isOpen(formula)) return this.byReader(formula, at)
    if (formula.kind === 'compare') return this.compared(formula, at)
    if (formula.kind === 'related') return this.related(formula, at, certainty)
    throw new Error(`${formula.kind} has no claim.`)
  }

  /** Which row it may be differs from user to user, so no condition says it: each user is asked about later. */
  private async somewhere(formula: Somewhere, certainty: Certainty): Promise<Truth> {
    if (isOpen(formula))
      return certainty === 'certain' ? { true: nothing, false: nothing } : { true: everything, false: everything }
    const { resources, reader, now } = this.given
    return toTruth((await settled(formula, reader, { resources, claims: {}, now, opaque: nothing })) === always)
  }

  /** Nothing of the caller is in it: the reader says it of the row. */
  private async byReader(formula: Formula, { model, row }: At): Promise<Truth> {
    const { resources, reader, now } = this.given
    const asking: Asking = { resources, claims: {}, now, opaque: nothing }
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
    const target = this.given.resources.models[relation.model] as ModelMeta
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
    const { resources, reader } = this.given
    const columns = Object.values(target.columns).filter(({ type, isList }) => type !== 'Json' && !isList)
    const pairs = pairsOf(relation, resources)
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
  equals: 'equals',
  not: 'not',
  lt: 'gt',
  lte: 'gte',
  gt: 'lt',
  gte: 'lte',
}

const constantText = (term: Exclude<Term, { claim: string }>): unknown => {
  if (!('value' in term)) return null
  const { value } = term
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : value
}
