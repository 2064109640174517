import { literal } from '@prismapi/core/database/tables'
import { either, type Formula } from '../formula.ts'
import { type Persona, personaKey } from '../model/persona.ts'
import type { ColumnSource, RowConditions } from './row-condition.ts'
import type { Ruled } from './row-rules.ts'
import { simplified } from './simplified.ts'

/** Of all kinds of callers, by way of all servers. */
export interface Everybody {
  readonly servers: readonly string[]
  readonly personas: readonly Persona[]
  /** The claims that may be null. */
  readonly nullable: ReadonlySet<string>
}

/** What holds of a row, for the caller whom the session names: each formula once, with the callers whom it is for. */
export function ruledSql(
  ruled: readonly Ruled[],
  { conditions, place, everybody }: { conditions: RowConditions; place: ColumnSource; everybody: Everybody },
): string {
  const byFormula = new Map<string, Ruled[]>()
  for (const each of ruledAs(ruled, simplified)) {
    const key = JSON.stringify(each.formula)
    byFormula.set(key, [...(byFormula.get(key) ?? []), each])
  }
  const parts = [...byFormula.values()].map((group) => {
    const { formula } = group[0] as Ruled
    const [asks, holds] = [asksSql(group, everybody), conditions.of(formula, place)]
    return holds === 'true' ? asks : `(${asks} AND ${holds})`
  })
  return parts.length === 0 ? 'false' : parts.length === 1 ? (parts[0] as string) : `(${parts.join(' OR ')})`
}

/** The same with another formula. */
export const ruledAs = (ruled: readonly Ruled[], formulaOf: (formula: Formula) => Formula): readonly Ruled[] =>
  ruled.map((each) => ({ ...each, formula: formulaOf(each.formula) }))

/** Either of them. */
export function eitherRuled(...lists: readonly (readonly Ruled[])[]): readonly Ruled[] {
  const found = new Map<string, Ruled>()
  for (const each of lists.flat()) {
    const key = `${each.server}\n${personaKey(each.persona)}`
    const known = found.get(key)
    found.set(key, known ? { ...known, formula: either(known.formula, each.formula) } : each)
  }
  return [...found.values()]
}

/** Whether one of them is asking: a SELECT of its own, which is run once for a statement. */
function asksSql(ruled: readonly Ruled[], everybody: Everybody): string {
  const serversOf = new Map<string, string[]>()
  const personas = new Map<string, Persona>()
  for (const { server, persona } of ruled) {
    const key = personaKey(persona)
    personas.set(key, persona)
    serversOf.set(key, [...(serversOf.get(key) ?? []), server])
  }
  const byServers = new Map<string, { servers: readonly string[]; personas: Persona[] }>()
  for (const [key, servers] of serversOf) {
    const group = byServers.get(servers.join()) ?? { servers, personas: [] }
    group.personas.push(personas.get(key) as Persona)
    byServers.set(servers.join(), group)
  }
  const parts = [...byServers.values()].map(({ servers, personas: some }) => {
    const named =
      servers.length === everybody.servers.length
        ? []
        : [`prismapi_caller() ->> 'server' IN (${servers.map(literal).join(', ')})`]
    const kinds = some.length === everybody.personas.length ? [] : [anyKind(some, everybody)]
    const tests = [...named, ...kinds]
    return `(SELECT ${tests.length === 0 ? told : tests.join(' AND ')})`
  })
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' OR ')})`
}

/** Any caller at all. */
export const told = `prismapi_caller() ? 'server'`

function anyKind(personas: readonly Persona[], everybody: Everybody): string {
  const kinds = personas.map((each) => kindSql(each, everybody))
  return kinds.length === 1 ? (kinds[0] as string) : `(${kinds.join(' OR ')})`
}

/** What the claims of such callers are, which of them have a value, and which have none. */
function kindSql(persona: Persona, { nullable }: Everybody): string {
  if (persona.kind === 'guest') return `prismapi_caller() @> '{"user":null}'`
  const fixed = Object.entries(persona.fixed)
  const user = Object.fromEntries(fixed.filter(([, value]) => value !== null))
  const has = persona.symbols.filter((name) => nullable.has(name))
  const lacks = fixed.filter(([, value]) => value === null).map(([name]) => name)
  const tests = [
    `prismapi_caller() @> ${literal(JSON.stringify({ user }))}`,
    ...has.map((name) => `prismapi_claim(${literal(name)}) IS NOT NULL`),
    ...lacks.map((name) => `prismapi_claim(${literal(name)}) IS NULL`),
  ]
  return tests.length === 1 ? (tests[0] as string) : `(${tests.join(' AND ')})`
}

/** What the conditions of all tables call: so short that PostgreSQL puts them in place. */
export const callerFunctions: readonly string[] = [
  `CREATE OR REPLACE FUNCTION prismapi_caller() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('prismapi.caller', true), '')::jsonb
$$;`,
  `CREATE OR REPLACE FUNCTION prismapi_claim(name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT prismapi_caller() -> 'user' ->> name
$$;`,
  // Lists of rows that a transaction makes: what it has written, and of these what it has only linked.
  `CREATE OR REPLACE FUNCTION prismapi_listed(list text, row_key text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(position(row_key IN current_setting('prismapi.' || list, true)), 0) > 0
$$;`,
]

/** Does it hold of every row, for every caller? */
export const isForEverybody = (ruled: readonly Ruled[], { servers, personas }: Everybody): boolean =>
  ruled.length === servers.length * personas.length &&
  ruled.every(({ formula }) => formula.kind === 'constant' && formula.holds)
