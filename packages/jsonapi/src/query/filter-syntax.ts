import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { Limits } from '../request/limits.ts'
import { mapAll } from './failures.ts'
import { notAllowed, type Parameter } from './parameters.ts'

/** Conditions that stand beside each other, and groups of them; all of it must hold. */
export interface FilterGroup {
  readonly clauses: readonly FilterClause[]
  readonly groups: readonly FilterBranches[]
}

export interface FilterBranches {
  readonly kind: GroupKind
  /** In the order of their indexes. */
  readonly branches: readonly FilterGroup[]
}

export type GroupKind = 'and' | 'not' | 'or'

/** One condition as sent: a path, perhaps an operator, and its values. */
export interface FilterClause {
  /** The exact key, for errors. */
  readonly key: string
  /** How many groups it stands in. */
  readonly depth: number
  /** What stands in the brackets, without groups and list marks: `['author.name', 'contains']`. */
  readonly path: readonly string[]
  /** As sent: whether a comma separates depends on the operator, and on `isList`. */
  readonly values: readonly string[]
  /** Sent as a repeated key, `[]`, or as ids in JSON: each value is one, its commas are its own. */
  readonly isList: boolean
}

interface Draft {
  readonly clauses: Map<string, FilterClause>
  readonly groups: Map<GroupKind, Map<number, Draft>>
}

const newDraft = (): Draft => ({ clauses: new Map(), groups: new Map() })

const groupKinds: ReadonlySet<string> = new Set<GroupKind>(['and', 'not', 'or'])
const isGroupKind = (name: string): name is GroupKind => groupKinds.has(name)
const isIndex = (name: string): boolean => /^\d{1,4}$/.test(name)

/**
 * In: the parameters of the family `filter`. Out: their conditions, in groups.
 *
 * @throws JsonApiError 400 for groups that nest deeper than the limit, and for a bare `filter` that is not ids in JSON.
 */
export function parseFilter(parameters: readonly Parameter[], limits: Pick<Limits, 'filterDepth'>): FilterGroup {
  const root = newDraft()
  mapAll(parameters, (parameter) => {
    if (parameter.path.length > 0) return addParameter(root, parameter, limits)
    for (const clause of jsonClauses(parameter)) addClause(root, clause)
  })
  return toGroup(root)
}

function addParameter(
  root: Draft,
  { key, path, value }: Parameter,
  { filterDepth }: Pick<Limits, 'filterDepth'>,
): void {
  let draft = root
  let rest = path
  let depth = 0
  for (;;) {
    const [kind, index, next] = rest
    if (kind === undefined || index === undefined || next === undefined) break
    if (!isGroupKind(kind) || !isIndex(index)) break
    if (++depth > filterDepth) throw tooDeep(key, filterDepth)
    draft = branchOf(draft, kind, Number(index))
    rest = rest.slice(2)
  }
  const mark = rest.at(-1) as string
  const isMarked = rest.length > 1 && (mark === '' || isIndex(mark))
  if (!isMarked && mark === '') throw notAllowed(key)
  addClause(draft, { key, depth, path: isMarked ? rest.slice(0, -1) : rest, values: [value], isList: isMarked })
}

export const tooDeep = (key: string, limit: number) =>
  badParameter(key, say`A filter must not nest deeper than ${limit} levels.`)

function branchOf({ groups }: Draft, kind: GroupKind, index: number): Draft {
  const branches = groups.get(kind) ?? new Map<number, Draft>()
  groups.set(kind, branches)
  const branch = branches.get(index) ?? newDraft()
  branches.set(index, branch)
  return branch
}

function addClause({ clauses }: Draft, clause: FilterClause): void {
  const name = clause.path.join('][')
  const same = clauses.get(name)
  clauses.set(name, same ? { ...same, values: [...same.values, ...clause.values], isList: true } : clause)
}

const toGroup = ({ clauses, groups }: Draft): FilterGroup => ({
  clauses: [...clauses.values()],
  groups: [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, branches]) => ({ kind, branches: inOrder(branches).map(toGroup) })),
})

const inOrder = (branches: ReadonlyMap<number, Draft>): readonly Draft[] =>
  [...branches].sort(([a], [b]) => a - b).map(([, draft]) => draft)

/** `filter={"id":[1,2]}`, as react-admin asks for many: ids, and nothing else. */
function jsonClauses({ key, value }: Parameter): readonly FilterClause[] {
  const json = parseJson(value)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw notIds(key)
  return Object.entries(json).map(([name, ids]): FilterClause => {
    const values = (Array.isArray(ids) ? ids : [ids]).map(idText)
    if (name !== 'id' || values.length === 0 || values.includes(null)) throw notIds(key)
    return { key, depth: 0, path: [name], values: values as string[], isList: true }
  })
}

const notIds = (key: string) =>
  badParameter(key, say`The parameter filter must be a JSON object such as {"id":["1","2"]}.`)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function idText(id: unknown): string | null {
  if (typeof id === 'string') return id
  return Number.isSafeInteger(id) ? String(id) : null
}

/** The elements of a comma list; `\,` is a comma that does not separate. */
export const splitList = (text: string): readonly string[] =>
  text.split(/(?<!\\),/).map((element) => element.replaceAll('\\,', ','))
