import fc from 'fast-check'
import { resources } from '../../../prisma/generated/resources.ts'
import { type Kind, linkedWorld, type Scalar, shapes, type Type } from './world.ts'

// Random filters, and the query strings that ask for them.

export interface Hop {
  readonly relation: string
  readonly to: Type
  readonly quantifier: 'is' | 'some' | 'every' | 'none'
  /** `some` may be left out. */
  readonly isSpelt: boolean
}

export interface Clause {
  readonly way: readonly Hop[]
  readonly leaf: Leaf
  readonly operator: string
  readonly values: readonly string[]
  readonly spelling: Spelling
}

/** What the last name is compared as; of a relation it is asked whether there is a row behind it. */
export type Leaf =
  | { readonly kind: Kind | 'id'; readonly name: string }
  | { readonly kind: 'presence'; readonly relation: string; readonly to: Type }

interface Spelling {
  /** An operator that nothing has to say: equality, and `in`. */
  readonly isBare: boolean
  /** `filter[author][name]`, where only to-one relations are crossed. */
  readonly isNested: boolean
  readonly list: 'commas' | 'marks' | 'indexes' | 'repeated'
  /** `filter[author.id]=1` in place of `filter[author]=1`. */
  readonly saysId: boolean
}

export interface Group {
  readonly clauses: readonly Clause[]
  readonly groups: readonly { readonly kind: 'and' | 'or' | 'not'; readonly branches: readonly Group[] }[]
}

const lists: readonly string[] = ['in', 'notIn']
const { provider } = resources
const isInsensitive = provider === 'postgresql' || provider === 'cockroachdb'
const world = linkedWorld()

const toText = (value: Scalar): string => (value instanceof Date ? value.toISOString() : String(value))

const spelling: fc.Arbitrary<Spelling> = fc.record({
  isBare: fc.boolean(),
  isNested: fc.boolean(),
  list: fc.constantFrom('commas', 'marks', 'indexes', 'repeated'),
  saysId: fc.boolean(),
})

const clauseOf = (type: Type): fc.Arbitrary<Clause> =>
  wayOf(type, 3).chain(({ way, end }) =>
    fc.oneof(
      { weight: 5, arbitrary: attributeClause(way, end) },
      { weight: 3, arbitrary: idClause(way, end) },
      ...(Object.keys(shapes[end].relations).length > 0 ? [{ weight: 1, arbitrary: presenceClause(way, end) }] : []),
    ),
  )

interface Way {
  readonly way: readonly Hop[]
  readonly end: Type
}

function wayOf(type: Type, most: number): fc.Arbitrary<Way> {
  const ends: fc.Arbitrary<Way> = fc.constant({ way: [], end: type })
  if (most === 0) return ends
  const onwards = fc.constantFrom(...Object.entries(shapes[type].relations)).chain(([relation, { to, isMany }]) =>
    fc
      .tuple(isMany ? fc.constantFrom('some', 'every', 'none') : fc.constant('is'), fc.boolean())
      .chain(([quantifier, isSpelt]) =>
        wayOf(to, most - 1).map(({ way, end }): Way => {
          const hop: Hop = { relation, to, quantifier: quantifier as Hop['quantifier'], isSpelt }
          return { way: [hop, ...way], end }
        }),
      ),
  )
  return fc.oneof({ weight: 3, arbitrary: ends }, { weight: 4, arbitrary: onwards })
}

function attributeClause(way: readonly Hop[], type: Type): fc.Arbitrary<Clause> {
  return fc.constantFrom(...Object.entries(shapes[type].attributes)).chain(([name, shape]) => {
    const operators = [
      ...(shape.kind === 'boolean' ? ['equals', 'in', 'not'] : ['equals', 'in', 'not', 'notIn']),
      ...(shape.isOrdered || ['integer', 'number', 'date'].includes(shape.kind) ? ['lt', 'lte', 'gt', 'gte'] : []),
      ...(shape.kind === 'text' ? ['contains', 'startsWith', 'endsWith'] : []),
      ...(shape.kind === 'text' && isInsensitive ? ['iequals', 'icontains', 'istartsWith', 'iendsWith'] : []),
      ...(shape.isNullable ? ['isNull', 'isNull'] : []),
    ]
    const known = world[type].map(({ values }) => values[name] as Scalar).filter((value) => value !== null)
    const value = fc.constantFrom(...new Set(known.map(toText)))
    return fc
      .constantFrom(...operators)
      .chain((operator) => clause(way, { kind: shape.kind, name }, operator, valuesFor(operator, value)))
  })
}

function idClause(way: readonly Hop[], type: Type): fc.Arbitrary<Clause> {
  const id = fc.constantFrom(...world[type].map((row) => String(row.id)))
  const isMany = way.at(-1)?.quantifier !== 'is' && way.length > 0
  return fc
    .constantFrom('equals', 'in', ...(isMany ? [] : ['not', 'notIn']))
    .chain((operator) => clause(way, { kind: 'id', name: 'id' }, operator, valuesFor(operator, id)))
}

function presenceClause(way: readonly Hop[], type: Type): fc.Arbitrary<Clause> {
  return fc
    .constantFrom(...Object.entries(shapes[type].relations))
    .chain(([relation, { to, isMany }]) =>
      fc
        .constantFrom('exists', ...(isMany ? [] : ['isNull']))
        .chain((operator) =>
          clause(way, { kind: 'presence', relation, to }, operator, valuesFor(operator, fc.constant(''))),
        ),
    )
}

const clause = (
  way: readonly Hop[],
  leaf: Leaf,
  operator: string,
  values: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<Clause> =>
  fc.record({ way: fc.constant(way), leaf: fc.constant(leaf), operator: fc.constant(operator), values, spelling })

function valuesFor(operator: string, value: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  if (operator === 'isNull' || operator === 'exists') return fc.tuple(fc.constantFrom('true', 'false'))
  if (lists.includes(operator)) return fc.array(value, { minLength: 1, maxLength: 4 })
  if (/^(?:contains|startsWith|endsWith|i.+)$/.test(operator)) return fc.tuple(pieceOf(value))
  return fc.tuple(value)
}

/** A part of a known value, in either case. */
const pieceOf = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(value, fc.nat(2), fc.nat(3), fc.boolean())
    .map(([text, from, length, isUpper]) => (isUpper ? text.toUpperCase() : text).slice(from, from + length + 1))

const groupOf = (type: Type, depth: number): fc.Arbitrary<Group> =>
  fc
    .record({
      clauses: fc.uniqueArray(clauseOf(type), { maxLength: 3, selector: (each) => keyOf(each) }),
      groups:
        depth === 0
          ? fc.constant([])
          : fc.uniqueArray(
              fc.record({
                kind: fc.constantFrom('and', 'or', 'not', 'not'),
                branches: fc.array(groupOf(type, depth - 1), { minLength: 1, maxLength: 2 }),
              }),
              { maxLength: 2, selector: ({ kind }) => kind },
            ),
    })
    .filter(({ clauses, groups }) => clauses.length + groups.length > 0)

export interface Tree {
  readonly type: Type
  readonly group: Group
}

export const tree: fc.Arbitrary<Tree> = fc
  .constantFrom(...(Object.keys(shapes) as Type[]))
  .chain((type) => groupOf(type, 2).map((group) => ({ type, group })))

/** The query string that asks for a group. */
export const toQuery = (group: Group): string =>
  parametersOf(group)
    .map(([key, value]) => `filter${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')

type Parameter = readonly [key: string, value: string]

function parametersOf({ clauses, groups }: Group): Parameter[] {
  return [
    ...clauses.flatMap(clauseParameters),
    ...groups.flatMap(({ kind, branches }) =>
      branches.flatMap((branch, i) =>
        parametersOf(branch).map(([key, value]): Parameter => [`[${kind}][${i}]${key}`, value]),
      ),
    ),
  ]
}

function clauseParameters(each: Clause): Parameter[] {
  const { values, operator, spelling } = each
  const key = keyOf(each)
  if (!lists.includes(operator)) {
    // A bare value with a comma would be a list.
    return [[key, isBare(each) ? (values[0] as string).replaceAll(',', '\\,') : (values[0] as string)]]
  }
  const isAlone = values.length === 1
  if (spelling.list === 'marks') return values.map((value): Parameter => [`${key}[]`, value])
  if (spelling.list === 'indexes') return values.map((value, i): Parameter => [`${key}[${i}]`, value])
  if (spelling.list === 'repeated' && !isAlone) return values.map((value): Parameter => [key, value])
  return [[key, values.map((value) => value.replaceAll(',', '\\,')).join(',')]]
}

const isBare = ({ operator, spelling }: Clause): boolean =>
  spelling.isBare && (operator === 'equals' || operator === 'in')

/** What stands behind `filter` and the groups: `[comments.none.author.name][contains]`. */
function keyOf(each: Clause): string {
  const { way, leaf, operator, spelling } = each
  const names = way.flatMap(({ relation, quantifier, isSpelt }) =>
    quantifier === 'is' || (quantifier === 'some' && !isSpelt) ? [relation] : [relation, quantifier],
  )
  const last = leaf.kind === 'presence' ? leaf.relation : leaf.name
  const path = leaf.kind === 'id' && way.length > 0 && !spelling.saysId ? names : [...names, last]
  const isNested = spelling.isNested && way.every(({ quantifier }) => quantifier === 'is')
  return `[${path.join(isNested ? '][' : '.')}]${isBare(each) ? '' : `[${operator}]`}`
}
