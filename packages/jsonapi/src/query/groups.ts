import type { JsonApiError } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import { type Message, say } from '../document/text.ts'
import { PagePagination } from '../pagination/page-pagination.ts'
import type { PageRequest } from '../pagination/paginator.ts'
import type { BelongsTo } from '../schema/relation-kinds.ts'
import type { Attribute, ResourceSchema } from '../schema/resource-schema.ts'
import {
  type FigureFunction,
  functionsOf,
  type InstantPart,
  instantParts,
  type Statistics,
} from '../schema/statistics.ts'
import { toParams } from './collection.ts'
import { checkAll, mapAll, throwAny } from './failures.ts'
import { checkFilter, checkTrashed } from './filter.ts'
import { notAllowed, type Parameter } from './parameters.ts'
import { parseQuery, type RawQuery } from './parse.ts'
import type { Query, Trashed } from './query.ts'
import { type CheckContext, type QueryContext, toCheckContext } from './query-context.ts'
import { checkSortFields } from './sort.ts'
import { checkStats, type Figures, onlyCount, seenStatistics, statsFamily } from './stats.ts'

/** What rows are grouped by. */
export type GroupKey = AttributeKey | InstantKey | RelationKey

export interface AttributeKey {
  readonly kind: 'attribute'
  /** As it was sent. */
  readonly name: string
  readonly attribute: Attribute
}

export interface InstantKey {
  readonly kind: 'instant'
  readonly name: string
  readonly attribute: Attribute
  readonly part: InstantPart
}

export interface RelationKey {
  readonly kind: 'relation'
  readonly name: string
  readonly relation: BelongsTo
}

/** A figure that groups are ordered by; of rows, where the attribute is null. */
export interface FigureOrder {
  readonly attribute: Attribute | null
  readonly function: FigureFunction
  readonly direction: 'asc' | 'desc'
}

/** A request for groups, checked and frozen. */
export interface GroupQuery extends Pick<Query, 'filter' | 'trashed' | 'params'> {
  readonly keys: readonly GroupKey[]
  readonly figures: readonly Figures[]
  /** Before the order of the keys. */
  readonly order: readonly FigureOrder[]
  readonly page: PageRequest
}

const maxKeys = 4
const pageLimits = { perPage: 100, maxPageSize: 1000 }
const pagination = new PagePagination()
const families = [statsFamily, 'groupBy']

/**
 * In: a request for `/-stats` of a type that has statistics. Out: its query.
 *
 * @throws JsonApiError 400 with everything that is wrong, `source.parameter` naming the exact key of each.
 */
export function checkGroupQuery(
  ctx: QueryContext,
  schema: ResourceSchema,
  rules: ((raw: RawQuery) => readonly JsonApiError[]) | undefined,
): GroupQuery {
  const { at, limits, server } = ctx
  const raw = parseQuery(at, limits, { allow: families, ignoresUnknown: server.ignoresUnknownParameters })
  const check = toCheckContext(ctx)
  const statistics = seenStatistics(schema, check) as Statistics
  const of = (family: string) => raw.parameters.filter((parameter) => parameter.family === family)
  const { keys, figures, order, page, filter, trashed } = checkAll({
    shown: () => refuseShown(raw),
    keys: () => checkKeys(of('groupBy'), statistics),
    figures: () => checkStats(of(statsFamily), statistics),
    order: () => checkOrder(raw.sort, statistics, check),
    page: () => pagination.parse(raw.page ?? {}, pageLimits),
    filter: () => checkFilter(raw.filter, schema, check).condition,
    trashed: (): Trashed => checkTrashed(raw.filter, schema, check),
    rules: () => throwAny(rules?.(raw) ?? []),
  })
  return Object.freeze({
    keys,
    figures: figures.length === 0 ? onlyCount : figures,
    order,
    page,
    filter,
    trashed,
    params: toParams(raw.parameters),
  })
}

// Groups are no resources: nothing is included, and no fields are shown.
function refuseShown({ parameters }: RawQuery): void {
  const shown = parameters.filter(({ family }) => !groupFamilies.has(family))
  mapAll(shown, ({ key }) => {
    throw notAllowed(key)
  })
}

const groupFamilies: ReadonlySet<string> = new Set([...families, 'filter', 'page', 'sort'])

function checkKeys(sent: readonly Parameter[], statistics: Statistics): readonly GroupKey[] {
  const [parameter, again] = sent
  if (again) throw wrongKey(say`Query parameter groupBy must not be repeated.`)
  if (parameter && parameter.path.length > 0) throw notAllowed(parameter.key)
  if (!parameter || parameter.value === '') throw wrongKey(say`Name in groupBy what the rows are grouped by.`)
  const names = parameter.value.split(',')
  if (names.length > maxKeys) throw wrongKey(say`The parameter groupBy must not have more than ${maxKeys} keys.`)
  const seen = new Set<string>()
  return mapAll(names, (name) => {
    const key = checkKey(name, statistics)
    if (seen.has(name)) throw wrongKey(say`Group parameter ${name} is repeated.`)
    seen.add(name)
    return key
  })
}

function checkKey(name: string, { grouped }: Statistics): GroupKey {
  const [field = '', part, ...more] = name.split(':')
  const found = grouped.get(field)
  if (!found || more.length > 0) throw wrongKey(say`Group parameter ${name} is not allowed.`)
  if (!('serialize' in found))
    return part === undefined ? { kind: 'relation', name, relation: found } : withoutPart(name)
  if (found.kind !== 'datetime' && (found.kind !== 'date' || part === undefined))
    return part === undefined ? { kind: 'attribute', name, attribute: found } : withoutPart(name)
  const known = instantParts.find((each) => each === part)
  if (!known)
    throw wrongKey(
      say`Name a part of the instant ${field}: ${instantParts.map((each) => `${field}:${each}`).join(', ')}.`,
    )
  return { kind: 'instant', name, attribute: found, part: known }
}

const withoutPart = (name: string): never => {
  throw wrongKey(say`Group parameter ${name} is not allowed: only instants have parts.`)
}

const wrongKey = (detail: Message): JsonApiError => badParameter('groupBy', detail)

const checkOrder = (sort: string | null, statistics: Statistics, check: CheckContext): readonly FigureOrder[] =>
  sort === null
    ? []
    : checkSortFields(sort, check, (name) => figureOf(name, statistics)).map(({ found, isDescending }) => ({
        ...found,
        direction: isDescending ? 'desc' : 'asc',
      }))

function figureOf(name: string, { aggregated }: Statistics): Pick<FigureOrder, 'attribute' | 'function'> | null {
  if (name === 'count') return { attribute: null, function: 'count' }
  const dot = name.lastIndexOf('.')
  const attribute = aggregated.get(name.slice(0, dot))
  const known = attribute && functionsOf(attribute).find((each) => each === name.slice(dot + 1))
  return attribute && known ? { attribute, function: known } : null
}
