import type { Shape } from './shape.ts'

/**
 * How much of what was possible still is: less, more, something else, or the same without a member or with a new one.
 */
export type Effect = 'narrowed' | 'widened' | 'changed' | 'gone' | 'new'

/** One difference between what a value was and what it is. */
export interface Difference {
  /** Where in the value, `.size.width`; empty for itself. */
  readonly at: string
  readonly effect: Effect
  readonly says: string
}

/** What became of a value. */
export function compareShapes(old: Shape, now: Shape): readonly Difference[] {
  const types = typeDifferences(old, now)
  // Of another type nothing else can be compared.
  if (types.some(({ effect }) => effect === 'changed')) return types
  return [
    ...types,
    ...nullDifferences(old, now),
    ...valueDifferences(old, now),
    ...boundDifferences(old, now),
    ...markDifferences(old, now),
    ...itemDifferences(old, now),
    ...memberDifferences(old, now),
  ]
}

const itself = (effect: Effect, says: string): Difference => ({ at: '', effect, says })
const listed = (names: Iterable<string>): string => [...names].join(', ')

const kindsOf = (types: ReadonlySet<string> | null): string => (types === null ? 'anything' : [...types].join(' or '))

// Every integer is a number.
const holds = (types: ReadonlySet<string> | null, type: string): boolean =>
  types === null || types.has(type) || (type === 'integer' && types.has('number'))

function typeDifferences({ types: old }: Shape, { types: now }: Shape): readonly Difference[] {
  if (old === null && now === null) return []
  const isKept = old !== null && [...old].every((type) => holds(now, type))
  const isSame = now !== null && [...now].every((type) => holds(old, type))
  if (isKept && isSame) return []
  const says = `is ${kindsOf(now)}, was ${kindsOf(old)}`
  return [itself(isKept ? 'widened' : isSame ? 'narrowed' : 'changed', says)]
}

function nullDifferences(old: Shape, now: Shape): readonly Difference[] {
  const mayBe = (shape: Shape) => shape.isNullable || shape.types === null
  if (mayBe(old) === mayBe(now)) return []
  return [mayBe(now) ? itself('widened', 'may be null') : itself('narrowed', 'may not be null any more')]
}

function valueDifferences({ values: old }: Shape, { values: now }: Shape): readonly Difference[] {
  if (old === null && now === null) return []
  if (old === null) return [itself('narrowed', `has only the values ${listed(now ?? [])}`)]
  if (now === null) return [itself('widened', `is no longer one of ${listed(old)}`)]
  const gone = [...old].filter((value) => !now.has(value))
  const more = [...now].filter((value) => !old.has(value))
  return [
    ...(gone.length > 0 ? [itself('narrowed', `is never ${listed(gone)} any more`)] : []),
    ...(more.length > 0 ? [itself('widened', `may be ${listed(more)}`)] : []),
  ]
}

const boundDifferences = (old: Shape, now: Shape): readonly Difference[] =>
  namesOf(old.bounds, now.bounds).flatMap((name) => {
    const [was, is] = [boundOf(old, name), boundOf(now, name)]
    if (was === is || name === longest) return []
    const most = /^max|Maximum$/.test(name)
    // Without a bound there is none to reach.
    const none = most ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    const isMore = (is ?? none) > (was ?? none)
    return [itself(isMore === most ? 'widened' : 'narrowed', `has ${told(name, is)}, had ${told(name, was)}`)]
  })

/** The length of the longest listed path. Listed paths are compared one by one, so it matters only beside a pattern. */
export const longest = 'longest'

const boundOf = ({ bounds }: Shape, name: string): number | undefined =>
  bounds.get(name) ?? (name === 'maxDepth' ? bounds.get(longest) : undefined)

const markDifferences = (old: Shape, now: Shape): readonly Difference[] =>
  namesOf(old.marks, now.marks).flatMap((name) => {
    const [was, is] = [old.marks.get(name), now.marks.get(name)]
    if (was === is) return []
    const effect = was === undefined ? 'narrowed' : is === undefined ? 'widened' : 'changed'
    return [itself(effect, `has ${told(name, is)}, had ${told(name, was)}`)]
  })

const told = (name: string, value: unknown): string => (value === undefined ? `no ${name}` : `${name} ${value}`)

const namesOf = (old: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): readonly string[] => [
  ...new Set([...old.keys(), ...now.keys()]),
]

const below = (at: string, differences: readonly Difference[]): readonly Difference[] =>
  differences.map((each) => ({ ...each, at: at + each.at }))

const itemDifferences = ({ items: old }: Shape, { items: now }: Shape): readonly Difference[] =>
  old && now ? below('[]', compareShapes(old, now)) : []

// A client that sends or reads a member loses something when it is gone, whichever way it travels.
function memberDifferences(old: Shape, now: Shape): readonly Difference[] {
  if (old.members.size === 0 && now.members.size === 0) return []
  return namesOf(old.members, now.members).flatMap((name) => {
    const [was, is] = [old.members.get(name), now.members.get(name)]
    const at = `.${name}`
    if (!is) return [{ at, effect: 'gone', says: 'gone' } as const]
    const isDemanded = now.demands.has(name)
    const demand: readonly Difference[] =
      isDemanded === old.demands.has(name)
        ? []
        : [
            isDemanded
              ? { at, effect: 'narrowed', says: 'must be there' }
              : { at, effect: 'widened', says: 'may be left out' },
          ]
    if (was) return [...demand, ...below(at, compareShapes(was, is))]
    return isDemanded ? demand : [{ at, effect: 'new', says: 'new' } as const]
  })
}
