import { JsonApiError, throwAll } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import { countFailures, keyFailures, maxSizeOf, sentCount } from '../pagination/pagination.ts'
import type { PageParams } from '../pagination/paginator.ts'
import { isToMany, type Relation, type ToMany } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import { orderOf, toParams } from './collection.ts'
import { checkAll, mapAll } from './failures.ts'
import { checkFilter, checkTrashed } from './filter.ts'
import { type IncludeRoot, relationsAt } from './include.ts'
import { type IncludedParameter, type RawQuery, toPage } from './parse.ts'
import type { IncludedCollection, IncludedCollections, IncludeTree } from './query.ts'
import type { CheckContext } from './query-context.ts'

/** What a query includes, and where its paths begin. */
export interface Inclusion {
  readonly tree: IncludeTree
  readonly root: IncludeRoot
  /** The relation whose linkage is the primary data: its page is `page`. */
  readonly primary: Relation | null
}

const none: IncludedCollections = new Map()

/**
 * In: what is asked of included collections, by include path. Out: the same by relation, checked as the relation's own
 * URL would check it.
 *
 * @throws JsonApiError 400, `source.parameter` the exact key, also for a path at which no to-many relation is included,
 * and for two paths that ask differently for one relation: a document shows a resource once.
 */
export function checkIncludedCollections(
  sent: RawQuery['included'],
  inclusion: Inclusion,
  check: CheckContext,
): IncludedCollections {
  if (sent.size === 0) return none
  checkNumber(sent, check)
  const known = new Map<Relation, SentCollection>()
  const checked = mapAll(sent, ([at, parameters]) => {
    const relations = collectionsAt(at, inclusion, check)
    mapAll(parameters, ({ key }) => {
      if (relations.length === 0) throw notIncluded(key, at)
    })
    return relations.map((relation): [Relation, IncludedCollection] => {
      checkAlike({ at, parameters }, known.get(relation))
      known.set(relation, { at, parameters })
      return [relation, checkIncludedCollection(parameters, schemaOf(check.registry, relation.model), check)]
    })
  })
  return new Map(checked.flat())
}

interface SentCollection {
  readonly at: string
  readonly parameters: readonly IncludedParameter[]
}

function collectionsAt(at: string, { tree, root, primary }: Inclusion, check: CheckContext): readonly ToMany[] {
  const names = at.split('.')
  const branch = names.reduce<IncludeTree | undefined>((level, name) => level?.get(name), tree)
  if (!branch || (primary && names.length === 1)) return []
  return relationsAt(names, root, check.registry).filter(isToMany)
}

const notIncluded = (key: string, at: string) =>
  badParameter(key, say`Parameter ${key} is not allowed: ${at} is not a to-many relation that is included.`)

function checkAlike({ at, parameters }: SentCollection, known: SentCollection | undefined): void {
  if (!known || textOf(known.parameters) === textOf(parameters)) return
  mapAll(parameters, ({ key }) => {
    throw badParameter(key, say`Parameter ${key} must be the same as for ${known.at}: ${at} is the same relation.`)
  })
}

const textOf = (parameters: readonly IncludedParameter[]): string =>
  JSON.stringify(parameters.map((parameter) => [ownKey(parameter), parameter.value]).sort())

// Each collection may have as many terms as a query; all of them have no more parameters than that together.
function checkNumber(sent: RawQuery['included'], { limits: { filterTerms } }: CheckContext): void {
  const filters = [...sent.values()].flat().filter(({ family }) => family === 'filter')
  const excess = filters[filterTerms]
  if (excess) throw badParameter(excess.key, say`What is included must not have more than ${filterTerms} filters.`)
}

/**
 * In: what is asked of one included collection of a type; nothing, perhaps. Out: the same, checked as a collection of
 * that type is. The order is the one that the type's pages impose, the client's, or the schema's.
 *
 * @throws JsonApiError 400 with everything that is wrong, `source.parameter` the exact key of each.
 */
export function checkIncludedCollection(
  parameters: readonly IncludedParameter[],
  schema: ResourceSchema,
  check: CheckContext,
): IncludedCollection {
  const of = (family: string) => parameters.filter((parameter) => parameter.family === family)
  const filters = of('filter')
  const sort = of('sort')[0]?.value ?? null
  const imposed = schema.paginator?.order ?? null
  const { size, ordered, filter, trashed } = checkAll({
    size: () => withSentKeys(parameters, () => checkSize(toPage(of('page')) ?? {}, schema)),
    ordered: () => withSentKeys(parameters, () => orderOf(sort, { schema, imposed }, check)),
    filter: () => checkFilter(filters, schema, check),
    trashed: () => checkTrashed(filters, schema, check),
  })
  const own = parameters.map((parameter) => ({ ...parameter, key: ownKey(parameter) }))
  return {
    size: size ?? maxSizeOf(schema),
    isSized: size !== null,
    order: ordered.order,
    filter: filter.condition,
    trashed,
    params: toParams(own, ordered.shown),
  }
}

/** `size`, whatever the type's own pages call it. */
function checkSize(params: PageParams, schema: ResourceSchema): number | null {
  throwAll([...keyFailures(params, ['size']), ...countFailures(params, 'size', maxSizeOf(schema))])
  return sentCount(params, 'size')
}

/** What a parameter is called at the collection's own URL. */
const ownKey = ({ family, path }: IncludedParameter): string => family + path.map((name) => `[${name}]`).join('')

/** Runs a check that knows the parameters by the names that they have at the collection's own URL. */
function withSentKeys<T>(parameters: readonly IncludedParameter[], check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    const sent = new Map(parameters.map((parameter) => [ownKey(parameter), parameter.key]))
    throw error.map((each) => {
      const key = each.source && 'parameter' in each.source ? sent.get(each.source.parameter) : undefined
      return key === undefined ? each : { ...each, source: { parameter: key } }
    })
  }
}
