import { resources } from '../../../prisma/generated/resources.ts'
import type { Clause, Group, Hop } from './trees.ts'
import type { Kind, Row, Scalar, Type } from './world.ts'

// What a filter means, in the plainest words: every row is asked, and SQL's third value is null.

type Truth = boolean | null

const not = (truth: Truth): Truth => (truth === null ? null : !truth)
const and = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true)
const or = (truths: readonly Truth[]): Truth => not(and(truths.map(not)))

/** May a row be seen at all. */
export type Sees = (type: Type, row: Row) => boolean

export const meets = (row: Row, group: Group, sees: Sees): boolean => judgeGroup(row, group, sees) === true

function judgeGroup(row: Row, { clauses, groups }: Group, sees: Sees): Truth {
  return and([
    judgeClauses(row, clauses, sees),
    ...groups.map(({ kind, branches }) => {
      const truths = branches.map((branch) => judgeGroup(row, branch, sees))
      if (kind === 'or') return or(truths)
      return and(kind === 'not' ? truths.map(not) : truths)
    }),
  ])
}

/** Clauses of one group: those that begin with the same relation, and the same word behind it, are about the same row there. */
function judgeClauses(row: Row, clauses: readonly Clause[], sees: Sees): Truth {
  const here = clauses.filter(({ way }) => way.length === 0)
  const ways = new Map<string, { readonly hop: Hop; readonly clauses: Clause[] }>()
  for (const clause of clauses) {
    const [hop, ...way] = clause.way
    if (!hop) continue
    const name = `${hop.relation} ${hop.quantifier}`
    const known = ways.get(name) ?? { hop, clauses: [] }
    known.clauses.push({ ...clause, way })
    ways.set(name, known)
  }
  return and([
    ...here.map((clause) => judgeLeaf(row, clause, sees)),
    ...[...ways.values()].map(({ hop, clauses }) => judgeBehind(row, hop, clauses, sees)),
  ])
}

function judgeBehind(row: Row, hop: Hop, clauses: readonly Clause[], sees: Sees): Truth {
  const truths = targetsOf(row, hop, sees).map((target) => judgeClauses(target, clauses, sees))
  switch (hop.quantifier) {
    case 'is':
      return truths[0] === undefined ? false : truths[0]
    case 'some':
      return truths.includes(true)
    case 'none':
      return !truths.includes(true)
    case 'every':
      return !truths.includes(false)
  }
}

function targetsOf(row: Row, { relation, to }: Pick<Hop, 'relation' | 'to'>, sees: Sees): readonly Row[] {
  const related = row.related[relation] ?? []
  return (Array.isArray(related) ? (related as readonly Row[]) : [related as Row]).filter((target) => sees(to, target))
}

function judgeLeaf(row: Row, { leaf, operator, values }: Clause, sees: Sees): Truth {
  if (leaf.kind === 'presence') {
    const isThere = targetsOf(row, leaf, sees).length > 0
    return isThere === (values[0] === 'true') ? operator === 'exists' : operator !== 'exists'
  }
  const value = leaf.name === 'id' ? row.id : (row.values[leaf.name] as Scalar)
  return compare(value, operator, values, leaf.kind)
}

/** Letter case is plain to some databases everywhere, and to others in searches alone. */
const { provider } = resources
const same = provider === 'mysql' ? lower : (text: string) => text
const searched = provider === 'mysql' || provider === 'sqlite' ? lower : (text: string) => text

function lower(text: string): string {
  return text.toLowerCase()
}

function compare(value: Scalar, operator: string, sent: readonly string[], kind: Kind | 'id'): Truth {
  if (operator === 'isNull') return (value === null) === (sent[0] === 'true')
  if (value === null) return null
  const own = comparable(value)
  const others = sent.map((each) => fromText(each, kind, value))
  const [other] = others as [string | number | boolean]
  const text = String(value)
  const [piece] = sent as [string]
  switch (operator) {
    case 'equals':
    case 'in':
      return others.includes(own)
    case 'not':
    case 'notIn':
      return !others.includes(own)
    case 'lt':
      return own < other
    case 'lte':
      return own <= other
    case 'gt':
      return own > other
    case 'gte':
      return own >= other
    case 'contains':
      return searched(text).includes(searched(piece))
    case 'startsWith':
      return searched(text).startsWith(searched(piece))
    case 'endsWith':
      return searched(text).endsWith(searched(piece))
    case 'iequals':
      return lower(text) === lower(piece)
    case 'icontains':
      return lower(text).includes(lower(piece))
    case 'istartsWith':
      return lower(text).startsWith(lower(piece))
    case 'iendsWith':
      return lower(text).endsWith(lower(piece))
    default:
      throw new Error(`No test knows what the operator ${operator} means.`)
  }
}

function comparable(value: Exclude<Scalar, null>): string | number | boolean {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? same(value) : value
}

function fromText(text: string, kind: Kind | 'id', like: Scalar): string | number | boolean {
  if (kind === 'date') return Date.parse(text)
  if (kind === 'boolean') return text === 'true'
  return typeof like === 'number' ? Number(text) : same(text)
}
