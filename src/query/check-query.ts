import type { JsonApiError } from '../document/error.ts'
import type { RequestContext } from '../request/context.ts'
import type { Relation, ResourceSchema } from '../schema/resource-schema.ts'
import { type CheckContext, toCheckContext } from './check-context.ts'
import { checkCollection, refuseCollection } from './collection.ts'
import { checkCounts, refuseCounts } from './counts.ts'
import { checkAll, throwAny } from './failures.ts'
import { checkFields } from './fields.ts'
import { checkInclude, noInclude, rootOf } from './include.ts'
import { parseQuery, type RawQuery } from './parse.ts'
import type { IncludeTree, Query } from './query.ts'

/** What a query string asks about. */
export interface QuerySubject {
  /** Of the primary data; several where a polymorphic relation leads to them. */
  readonly schemas: readonly ResourceSchema[]
  /** Is a collection read: else `filter`, `sort` and `page` mean nothing. */
  readonly isCollection: boolean
  /** The relation that is read or written through, on related and relationship URLs. */
  readonly relation: Relation | null
  /** A relationship URL: include paths begin with the relation's own name. */
  readonly isRelationship: boolean
}

export interface QueryOptions {
  /** The application's rules: what is wrong with the query in its eyes, reported beside what is wrong in ours. */
  readonly rules?: (raw: RawQuery) => readonly JsonApiError[]
  /** Parameter families beside those of JSON:API. */
  readonly allow?: Iterable<string>
}

/**
 * In: a request and what it is about. Out: its query, checked against the schemas and frozen.
 *
 * @throws JsonApiError 400 with everything that is wrong, `source.parameter` naming the exact key of each.
 */
export function checkQuery(ctx: RequestContext, subject: QuerySubject, options: QueryOptions = {}): Query {
  const check = toCheckContext(ctx)
  const [schema] = subject.schemas
  const raw = parseQuery(ctx.url.search, ctx.limits, {
    allow: options.allow ?? [],
    ignoresUnknown: ctx.server.ignoresUnknownParameters,
  })
  const { fields, include, counts, collection } = checkAll({
    include: () => includeOf(raw, subject, check),
    fields: () => checkFields(raw.fields, check),
    counts: () => (subject.isRelationship ? refuseCounts(raw.withCount) : checkCounts(raw.withCount, subject.schemas)),
    collection: () =>
      schema && subject.isCollection
        ? checkCollection(raw, { schema, relation: subject.relation }, check)
        : refuseCollection(raw),
    rules: () => throwAny(options.rules?.(raw) ?? []),
  })
  return Object.freeze({ include, includeSent: raw.include !== null, fields, counts, ...collection })
}

function includeOf(
  { include }: RawQuery,
  { schemas, relation, isRelationship }: QuerySubject,
  check: CheckContext,
): IncludeTree {
  // On a relationship URL the default paths, which begin at the resource, lead nowhere.
  const paths = include ?? (isRelationship ? [] : schemas.flatMap((schema) => schema.defaultInclude)).join(',')
  if (paths === '') return noInclude
  return checkInclude(paths, isRelationship && relation ? [relation] : rootOf(schemas), check)
}
