import Logic, { type Term as Bit } from 'logic-solver'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '../../model/meta.ts'
import { type Comparison, type Formula, partsOf, termsOf } from '../formula.ts'
import type { ClaimType } from '../model/persona.ts'
import { type Asked, domainOf, type Value } from './domain.ts'
import { pairsOf, relationsIn, rowsFor } from './places.ts'
import { constantOf } from './values.ts'

/** What formulas are about. */
export interface Question {
  readonly model: ModelMeta
  /** All formulas that are asked of one row. */
  readonly formulas: readonly Formula[]
  /** The claims that are symbols, of which formulas may name some. */
  readonly claims: Readonly<Record<string, ClaimType>>
  readonly resources: Resources
  readonly now: number
}

/** A value to be found: one of the bits is true. */
export interface Unknown {
  readonly values: readonly Value[]
  readonly bits: readonly Bit[]
}

/** A row to be found. */
export interface PossibleRow {
  readonly model: ModelMeta
  readonly index: number
  /** Whether there is such a row. */
  readonly isThere: Bit
  readonly columns: ReadonlyMap<string, Unknown>
}

/** All databases of a few rows at once: what may be there, and what has to hold of each database. */
export interface Universe {
  readonly root: PossibleRow
  readonly rows: ReadonlyMap<string, readonly PossibleRow[]>
  readonly claims: ReadonlyMap<string, Unknown>
  readonly rules: readonly Bit[]
  readonly question: Question
  /** Does a relation lead from one row to the other. */
  link(relation: RelationMeta, from: PossibleRow, to: PossibleRow): Bit
}

export function universeOf(question: Question): Universe {
  const { model, resources } = question
  const shapes = shapesOf(question)
  const rules: Bit[] = []
  const unknown = (name: string, values: readonly Value[]): Unknown => {
    const bits = values.map((_, i) => `${name}=${i}`)
    rules.push(Logic.exactlyOne(...bits))
    return { values, bits }
  }
  const rows = new Map(
    [...shapes.rows].map(([name, count]) => [
      name,
      Array.from({ length: count }, (_, index): PossibleRow => {
        const meta = resources.models[name] as ModelMeta
        const of = `${name} ${index}`
        const columns = [...(shapes.columns.get(name) ?? [])].map((column) => {
          const { isNullable } = meta.columns[column] as ColumnMeta
          const values = shapes.valuesOf(`${name}.${column}`)
          return [column, unknown(`${of}.${column}`, isNullable ? [null, ...values] : values)] as const
        })
        const isRoot = name === model.name && index === 0
        return { model: meta, index, isThere: isRoot ? Logic.TRUE : of, columns: new Map(columns) }
      }),
    ]),
  )
  const claims = new Map(
    [...shapes.claims].map((name) => [name, unknown(`claim ${name}`, shapes.valuesOf(`claim ${name}`))]),
  )
  const universe: Universe = {
    root: rows.get(model.name)?.[0] as PossibleRow,
    ...{ rows, claims, rules, question },
    link: (relation, from, to) => linked(relation, [from, to], resources),
  }
  for (const of of rows.values()) rules.push(...uniqueRules(of))
  for (const relation of shapes.required) rules.push(...targetRules(relation, universe))
  return universe
}

interface Shapes {
  readonly rows: ReadonlyMap<string, number>
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  readonly claims: ReadonlySet<string>
  /** Relations by a foreign key that are followed, and so have to lead somewhere. */
  readonly required: readonly { readonly home: ModelMeta; readonly relation: RelationMeta }[]
  valuesOf(place: string): readonly Value[]
}

/** Which columns matter, and what values they share: a foreign key those of its target, a claim those it is compared with. */
function shapesOf({ model, formulas, claims, resources, now }: Question): Shapes {
  const rows = rowsFor(model, formulas, resources)
  const columns = new Map([...rows.keys()].map((name) => [name, new Set(resources.models[name]?.key)]))
  const named = new Set<string>()
  const required: { home: ModelMeta; relation: RelationMeta }[] = []
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
      if (relation.foreignKey) required.push({ home, relation })
      read(target, parts)
    }
  }
  for (const name of rows.keys())
    for (const column of columns.get(name) ?? []) use(resources.models[name] as ModelMeta, column)
  read(model, formulas)
  const valuesOf = (place: string) => groups.valuesOf(place, { rows, resources })
  return { rows, columns, claims: named, required, valuesOf }
}

/** The parts of a formula that are about the same row. */
function* ownParts(formula: Formula): Iterable<Formula> {
  if (formula.kind === 'related') return
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
        ...{ type, isOrdered: false, ignoresCase: false },
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
    const asked: Asked = group
    const many = [...group.places].map((each) => rows.get(each.split('.', 1)[0] as string) ?? 1)
    const others = Math.min(
      many.reduce((a, b) => a + b, 0),
      mostOthers,
    )
    const made = domainOf(group.type, resources.enums[group.type.type]?.values ?? [], asked, others)
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

/** Two values are the same, and there. */
function equal(a: Unknown, b: Unknown): Bit {
  const same = a.values.flatMap((value, i) => {
    const at = value === null ? -1 : b.values.indexOf(value)
    return at < 0 ? [] : [Logic.and(a.bits[i] as Bit, b.bits[at] as Bit)]
  })
  return Logic.or(...same)
}

function linked(relation: RelationMeta, [from, to]: readonly [PossibleRow, PossibleRow], resources: Resources): Bit {
  const pairs = pairsOf(relation, resources)
  if (pairs === null) {
    const { table, own } = relation.join as NonNullable<RelationMeta['join']>
    const [a, b] = own === 'A' ? [from, to] : [to, from]
    return Logic.and(`${table} ${a.index} ${b.index}`, from.isThere, to.isThere)
  }
  const columns = pairs.map(([own, other]) => equal(from.columns.get(own) as Unknown, to.columns.get(other) as Unknown))
  return Logic.and(from.isThere, to.isThere, ...columns)
}

/** No two rows have the same key, or the same of whatever else is unique. */
function uniqueRules(rows: readonly PossibleRow[]): readonly Bit[] {
  return rows.flatMap((row, i) =>
    rows
      .slice(0, i)
      .flatMap((other) =>
        row.model.uniques
          .filter((unique) => unique.every((column) => row.columns.has(column)))
          .map((unique) =>
            Logic.not(
              Logic.and(
                row.isThere,
                other.isThere,
                ...unique.map((column) =>
                  equal(row.columns.get(column) as Unknown, other.columns.get(column) as Unknown),
                ),
              ),
            ),
          ),
      ),
  )
}

/** A foreign key that is followed names a row, or is null. */
function targetRules({ home, relation }: Shapes['required'][number], { rows, link }: Universe): readonly Bit[] {
  const targets = rows.get(relation.model) ?? []
  return (rows.get(home.name) ?? []).map((row) =>
    Logic.or(Logic.not(row.isThere), isNull(relation, row), ...targets.map((target) => link(relation, row, target))),
  )
}

/** A foreign key is null in one of its columns. */
export const isNull = ({ foreignKey }: RelationMeta, row: PossibleRow): Bit =>
  Logic.or(
    ...(foreignKey?.columns ?? []).flatMap((column) => {
      const { values, bits } = row.columns.get(column) as Unknown
      const at = values.indexOf(null)
      return at < 0 ? [] : [bits[at] as Bit]
    }),
  )
