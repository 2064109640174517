/** A record in memory: column names to values as Prisma gives them. */
export type Row = Readonly<Record<string, unknown>>

/** A condition in Prisma's `where` vocabulary. */
export type Where = Readonly<Record<string, unknown>>

/** One key of an order: the path is one column, or to-one relations and then a column (`['author', 'name']`). */
export interface OrderTerm {
  /** Prisma's names, one at least. */
  readonly path: readonly string[]
  /** Smallest first, or largest. */
  readonly direction: 'asc' | 'desc'
}

/**
 * Every condition at once. Branches without a condition are left out, because an empty branch means
 * "everything" at one place in Prisma's vocabulary and "nothing" at another.
 */
export function every(...conditions: readonly (Where | null | undefined)[]): Where {
  const given = conditions.filter((where): where is Where => where != null && Object.keys(where).length > 0)
  if (given.length < 2) return given[0] ?? {}
  return { AND: given }
}

/** At least one condition. `whenNone` is what an empty list means to the caller: `nothing(column)`, as a rule. */
export function some(conditions: readonly Where[], whenNone: Where): Where {
  if (conditions.length < 2) return conditions[0] ?? whenNone
  return { OR: conditions }
}

/** The one spelling of "no row": `{ OR: [] }`, which CASL gives, means everything once it stands inside `AND`. */
export const nothing = (column: string): Where => ({ [column]: { in: [] } })

/** The global scopes of one request: what may be seen of each model. Models without a scope are absent. */
export type Scopes = ReadonlyMap<string, Where>

/** The scope of a model, `{}` where there is none. */
export const scopeOf = (scopes: Pick<Scopes, 'get'>, model: string): Where => scopes.get(model) ?? {}
