import { JsonApiError } from '../document/error.ts'
import { throwAll } from '../document/failures.ts'
import { countFailures, keyFailures, sentCount } from '../pagination/page-params.ts'
import { maxSizeOf } from '../pagination/pagination.ts'
import type { PageParams } from '../pagination/paginator.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { CheckContext } from './check-context.ts'
import { orderOf, toParams } from './collection.ts'
import { checkAll } from './failures.ts'
import { checkFilter } from './filter.ts'
import type { IncludedParameter } from './included-parameters.ts'
import { toPage } from './parse.ts'
import type { IncludedCollection } from './query.ts'
import { checkTrashed } from './trashed.ts'

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
export const ownKey = ({ family, path }: IncludedParameter): string => family + path.map((name) => `[${name}]`).join('')

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
