import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { type Comparison, type Formula, partsOf, termsOf } from '../formula.ts'
import type { ClaimType } from '../model/persona.ts'
import { type ComparedValues, constantOf, domainOf, type Value } from './domain.ts'
import { anywhereIn, pairsOf, relationsIn, rowsFor } from './places.ts'

/** What formulas are about. */
export interface Question {
  /** Tells its bits from those of other questions. */
  readonly name: string
  readonly model: ModelMeta
  /** All formulas that are asked of one row. */
  readonly formulas: readonly Formula[]
  /** The claims that are symbols, of which formulas may name some. */
  readonly claims: Readonly<Record<string, ClaimType>>
  readonly resources: Resources
  readonly now: number
}

/** What of the databases matters to the formulas. */
export interface Shapes {
  /** How many rows of each model. */
  readonly rows: ReadonlyMap<string, number>
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  readonly claims: ReadonlySet<string>
  valuesOf(place: string): readonly Value[]
}

/** The columns that matter, and the values they share: a foreign key with its target, a claim with its columns. */
export function shapesOf({ model, formulas, claims, resources, now }: Question): Shapes {
  const rows = rowsFor(model, formulas, resources)
  const columns = new Map([...rows.keys()].map((name) => [name, new Set(resources.models[name]?.key)]))
  const named = new Set<string>()
  const groups = new Groups()
  const use = (home: ModelMeta, column: string): string => {
    columns.get(home.name)?.add(column)
    return groups.add(`${home.name}.${column}`, home.columns[column] as ColumnMeta)
  }
  const compare = (home: ModelMeta, comparison: Comparison): void => {
    const place = use(home, comparison.column)
    for (const term of termsOf(comparison)) {
      const constant = constantOf(term, now)
      if (constant) groups.ask(place, comparison, constant.value)
      if (!('claim' in term)) continue
      const type = (claims[term.claim] as Extract<ClaimType, { kind: 'symbol' }>).type
      groups.join(place, groups.add(`claim ${term.claim}`, { type, isEnum: false }))
      groups.ask(place, comparison, null)
      named.add(term.claim)
    }
  }
  const read = (home: ModelMeta, given: readonly Formula[]): void => {
    for (const formula of given) for (const part of ownParts(formula)) if (part.kind === 'compare') compare(home, part)
    for (const [name, parts] of relationsIn(given)) {
      const relation = home.relations[name] as RelationMeta
      const target = resources.models[relation.model] as ModelMeta
      for (const [own, other] of pairsOf(relation, resources) ?? []) groups.join(use(home, own), use(target, other))
      read(target, parts)
    }
    for (const { model: name, part } of anywhereIn(given)) read(resources.models[name] as ModelMeta, [part])
  }
  for (const name of rows.keys())
    for (const column of columns.get(name) ?? []) use(resources.models[name] as ModelMeta, column)
  read(model, formulas)
  const valuesOf = (place: string) => groups.valuesOf(place, { rows, resources })
  return { rows, columns, claims: named, valuesOf }
}

/** The parts of a formula that are about the same row. */
function* ownParts(formula: Formula): Iterable<Formula> {
  if (formula.kind === 'related' || formula.kind === 'somewhere') return
  if (formula.kind === 'all' || formula.kind === 'any') for (const part of formula.parts) yield* ownParts(part)
  else if (formula.kind === 'not') yield* ownParts(formula.part)
  else yield* partsOf(formula)
}

type ColumnType = Pick<ColumnMeta, 'type' | 'isEnum'>

interface Group {
  readonly type: ColumnType
  readonly places: Set<string>
  readonly constants: Set<Value>
  readonly searched: Set<string>
  isOrdered: boolean
  ignoresCase: boolean
}

/** Places whose values are compared with each other. */
class Groups {
  private readonly of = new Map<string, Group>()
  private readonly values = new Map<Group, readonly Value[]>()

  add(place: string, type: ColumnType): string {
    if (!this.of.has(place))
      this.of.set(place, {
        type,
        isOrdered: false,
        ignoresCase: false,
        places: new Set([place]),
        constants: new Set(),
        searched: new Set(),
      })
    return place
  }

  join(a: string, b: string): void {
    const [into, from] = [this.group(a), this.group(b)]
    if (into === from) return
    for (const place of from.places) {
      into.places.add(place)
      this.of.set(place, into)
    }
    for (const value of from.constants) into.constants.add(value)
    for (const text of from.searched) into.searched.add(text)
    into.isOrdered ||= from.isOrdered
    into.ignoresCase ||= from.ignoresCase
  }

  ask(place: string, { operator, mode }: Comparison, value: Value): void {
    const group = this.group(place)
    const isSearch = operator === 'contains' || operator === 'startsWith' || operator === 'endsWith'
    if (isSearch && typeof value === 'string') group.searched.add(value)
    else group.constants.add(value)
    group.isOrdered ||= operator.startsWith('lt') || operator.startsWith('gt')
    group.ignoresCase ||= mode !== null
  }

  valuesOf(place: string, { rows, resources }: Pick<Shapes, 'rows'> & Pick<Question, 'resources'>): readonly Value[] {
    const group = this.group(place)
    const known = this.values.get(group)
    if (known) return known
    const compared: ComparedValues = group
    const many = [...group.places].map((each) => rows.get(each.split('.', 1)[0] as string) ?? 1)
    const others = Math.min(
      many.reduce((a, b) => a + b, 0),
      mostOthers,
    )
    const made = domainOf(group.type, resources.enums[group.type.type]?.values ?? [], compared, others)
    this.values.set(group, made)
    return made
  }

  private group(place: string): Group {
    const group = this.of.get(place)
    if (!group) throw new Error(`${place} is not among the values.`)
    return group
  }
}

const mostOthers = 6
