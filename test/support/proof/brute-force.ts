import { type Comparison, type Formula, partsOf, type Term } from '@prismapi/proof/formula'

// Every database of a few people, teams and tags, and what a formula is for a person of it: written for itself, and so slowly
// that there is no doubt.

export interface World {
  readonly people: readonly { readonly id: number; readonly rank: number | null; readonly teamId: number | null }[]
  readonly teams: readonly { readonly id: number; readonly isOpen: boolean }[]
  readonly tags: readonly { readonly id: number; readonly name: string }[]
  /** Whose tags they are: ids. */
  readonly tagged: readonly { readonly person: number; readonly tag: number }[]
  /** The caller's id. */
  readonly caller: number
  /** Searches take letters of either case for the same. */
  readonly ignoresCase?: boolean
}

type Row = Readonly<Record<string, unknown>>
type Truth = boolean | null

const not = (truth: Truth): Truth => (truth === null ? null : !truth)
const and = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true)

type Model = 'Person' | 'Team' | 'Tag'

// Functions stand outside of each other here: this runs some million times.
export function truthIn(world: World, formula: Formula, model: Model, row: Row): Truth {
  switch (formula.kind) {
    case 'constant':
      return formula.holds
    case 'not':
      return not(truthIn(world, formula.part, model, row))
    case 'all':
      return and(formula.parts.map((part) => truthIn(world, part, model, row)))
    case 'any':
      return not(and(formula.parts.map((part) => not(truthIn(world, part, model, row)))))
    case 'absent':
      return row.teamId === null
    case 'related': {
      const [target, rows] = behind(world, model, formula.relation, row)
      const truths = rows.map((each) => truthIn(world, formula.part, target, each))
      if (formula.quantifier === 'is') return truths[0] === undefined ? false : truths[0]
      if (formula.quantifier === 'some') return truths.includes(true)
      return formula.quantifier === 'none' ? !truths.includes(true) : !truths.includes(false)
    }
    case 'compare':
      return compared(world, formula, row[formula.column] as Scalar)
    default:
      throw new Error('Nothing is opaque here.')
  }
}

type Scalar = string | number | boolean | null

function compared(world: World, { operator, value: asked }: Comparison, value: Scalar): Truth {
  if (Array.isArray(asked)) {
    if (asked.length === 0) return operator === 'notIn'
    const isIn = value === null ? null : asked.some((term) => given(world, term) === value)
    return operator === 'in' ? isIn : not(isIn)
  }
  const operand = given(world, asked as Term)
  if (operand === null) return (value === null) === (operator === 'equals')
  return value === null ? null : holds(operator, [value, operand], world.ignoresCase === true)
}

const given = (world: World, term: Term): Scalar =>
  'claim' in term ? world.caller : (term as { readonly value: Scalar }).value

function holds(
  operator: string,
  [a, b]: readonly [NonNullable<Scalar>, NonNullable<Scalar>],
  ignoresCase: boolean,
): Truth {
  switch (operator) {
    case 'equals':
      return a === b
    case 'not':
      return a !== b
    case 'lt':
      return a < b
    case 'lte':
      return a <= b
    case 'gt':
      return a > b
    case 'gte':
      return a >= b
    case 'contains':
      return folded(a, ignoresCase).includes(folded(b, ignoresCase))
    case 'startsWith':
      return folded(a, ignoresCase).startsWith(folded(b, ignoresCase))
    default:
      throw new Error(`No operator ${operator} is asked for here.`)
  }
}

const folded = (text: Scalar, ignoresCase: boolean): string => (ignoresCase ? String(text).toLowerCase() : String(text))

function behind(world: World, model: string, relation: string, row: Row): readonly [Model, readonly Row[]] {
  const { people, teams, tags, tagged } = world
  if (relation === 'team') return ['Team', teams.filter(({ id }) => id === row.teamId)]
  if (relation === 'members') return ['Person', people.filter(({ teamId }) => teamId === row.id)]
  if (relation === 'tags')
    return ['Tag', tags.filter(({ id }) => tagged.some(({ person, tag }) => person === row.id && tag === id))]
  if (relation === 'people')
    return ['Person', people.filter(({ id }) => tagged.some(({ person, tag }) => person === id && tag === row.id))]
  throw new Error(`${model} has no ${relation}.`)
}

/** Every small database that can make a difference to the formulas, the person that they are about first. */
function* smallWorlds(formulas: readonly Formula[]): Iterable<World> {
  const parts = formulas.flatMap((formula) => [...partsOf(formula)])
  const asks = (relation: string) =>
    parts.some((part) => (part.kind === 'related' || part.kind === 'absent') && part.relation === relation)
  const compares = (column: string) => parts.some((part) => part.kind === 'compare' && part.column === column)
  const ranks = compares('rank') ? [null, 0, 1, 2, 3] : [null]
  const isTeamed = asks('team') || asks('members') || compares('teamId')
  const teamIds = isTeamed ? [null, 1, 2] : [null]
  const hasOthers = asks('members') || asks('people')
  const openness = compares('isOpen') ? [false, true] : [true]
  const names = compares('name') ? ['a', 'b', 'ab', 'c'] : ['c']
  const tagLists = asks('tags')
    ? [[], ...names.map((a) => [a]), ...names.flatMap((a) => names.map((b) => [a, b]))]
    : [[]]
  const callers = compares('id') ? [1, 2, 3] : [1]
  const others = hasOthers
    ? [null, ...ranks.flatMap((rank) => teamIds.map((teamId) => ({ id: 2, rank, teamId })))]
    : [null]
  for (const rank of ranks)
    for (const teamId of teamIds)
      for (const other of others)
        for (const first of openness)
          for (const second of openness)
            for (const tags of tagLists)
              for (const tagged of taggings(tags.length, other !== null && asks('people')))
                for (const caller of callers)
                  yield {
                    people: [{ id: 1, rank, teamId }, ...(other ? [other] : [])],
                    teams: isTeamed
                      ? [
                          { id: 1, isOpen: first },
                          { id: 2, isOpen: second },
                        ]
                      : [],
                    tags: tags.map((name, i) => ({ id: i + 1, name })),
                    ...{ tagged, caller },
                  }
}

/** Who has which of the tags: the first person all of them, the second each set of them. */
function taggings(tags: number, hasSecond: boolean): readonly World['tagged'][] {
  const own = Array.from({ length: tags }, (_, i) => ({ person: 1, tag: i + 1 }))
  const sets: World['tagged'][] = []
  for (let set = 0; set < (hasSecond ? 2 ** tags : 1); set++)
    sets.push([...own, ...own.filter((_, i) => (set >> i) & 1).map(({ tag }) => ({ person: 2, tag }))])
  return sets
}

/** Is one of the formulas true of a person of whom the other one is not, in some small database. */
export function differByForce(a: Formula, b: Formula): boolean {
  for (const world of smallWorlds([a, b])) {
    const person = world.people[0] as Row
    if ((truthIn(world, a, 'Person', person) === true) !== (truthIn(world, b, 'Person', person) === true)) return true
  }
  return false
}
