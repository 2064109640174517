import type { JsonApiError } from '../document/error.ts'
import type { PageParams } from '../pagination/paginator.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Statistics } from '../schema/statistics.ts'
import { type CheckContext, toCheckContext } from './check-context.ts'
import { checkCollection, refuseCollection, withPage } from './collection.ts'
import { checkCounts, refuseCounts } from './counts.ts'
import { checkAll, throwAny } from './failures.ts'
import { checkFields } from './fields.ts'
import { checkInclude, rootOf } from './include.ts'
import { checkIncludedCollections } from './included-collections.ts'
import { parseQuery, type RawQuery } from './parse.ts'
import type { Query } from './query.ts'
import { cachedQuery } from './query-cache.ts'
import type { QueryContext } from './query-context.ts'
import { inputsOf } from './query-inputs.ts'
import { checkStats, type Figures, seenStatistics, statsFamily } from './stats.ts'

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
export function checkQuery(ctx: QueryContext, subject: QuerySubject, options: QueryOptions = {}): Query {
  const { search } = ctx.at
  const check = (seen: CheckContext['seen']) =>
    checkAnew(parseSent(ctx, subject, options), subject, options, { ...toCheckContext(ctx), seen })
  // What an application's rules make of a query is theirs to know.
  if (options.rules || options.allow) return check(ctx.seen)
  return cachedQuery({
    about: subject.relation ?? subject.schemas[0] ?? ctx.server,
    kind: `${subject.isCollection} ${subject.isRelationship}`,
    search,
    scopes: ctx.served.scopes,
    seen: ctx.seen,
    inputsOf: () => inputsOf(parseSent(ctx, subject, options), subject.schemas, ctx.server.schemas),
    check,
    withPage: (query, page) => pagedAnew(query, parseQuery({ search: page }, ctx.limits).page, subject, ctx),
  })
}

function pagedAnew(query: Query, page: PageParams | null, subject: QuerySubject, ctx: QueryContext): Query | null {
  const { schemas, isCollection, relation } = subject
  const [schema] = schemas
  return schema && isCollection ? withPage(query, page, { schema, relation }, ctx.server.resources) : null
}

const parseSent = (
  { at, limits, server }: QueryContext,
  subject: QuerySubject,
  { allow = [] }: QueryOptions,
): RawQuery =>
  parseQuery(at, limits, {
    allow: statisticsOf(subject) ? [...allow, statsFamily] : allow,
    ignoresUnknown: server.ignoresUnknownParameters,
  })

/** What figures can be asked for beside the resources. To all other queries `withStats` is an unknown parameter. */
const statisticsOf = ({ schemas: [schema], isCollection, isRelationship }: QuerySubject): Statistics | null =>
  isCollection && !isRelationship && schema ? schema.statistics : null

function checkAnew(raw: RawQuery, subject: QuerySubject, options: QueryOptions, check: CheckContext): Query {
  const [schema] = subject.schemas
  const { included, fields, counts, stats, collection } = checkAll({
    included: () => includedOf(raw, subject, check),
    fields: () => checkFields(raw.fields, check),
    counts: () => (subject.isRelationship ? refuseCounts(raw.withCount) : checkCounts(raw.withCount, subject.schemas)),
    stats: () => statsOf(raw, subject, check),
    collection: () =>
      schema && subject.isCollection
        ? checkCollection(raw, { schema, relation: subject.relation }, check)
        : refuseCollection(raw),
    rules: () => throwAny(options.rules?.(raw) ?? []),
  })
  return Object.freeze({ ...included, fields, counts, stats, ...collection })
}

function statsOf({ parameters }: RawQuery, subject: QuerySubject, check: CheckContext): readonly Figures[] {
  const [schema] = subject.schemas
  const sent = parameters.filter(({ family }) => family === statsFamily)
  const statistics = schema && sent.length > 0 && statisticsOf(subject) && seenStatistics(schema, check)
  return statistics ? checkStats(sent, statistics) : []
}

function includedOf(
  { include, included }: RawQuery,
  { schemas, relation, isRelationship }: QuerySubject,
  check: CheckContext,
): Pick<Query, 'include' | 'includeSent' | 'collections'> {
  const primary = isRelationship ? relation : null
  const root = primary ? [primary] : rootOf(schemas)
  // On a relationship URL the default paths, which begin at the resource, lead nowhere.
  const paths = include ?? (isRelationship ? [] : schemas.flatMap((schema) => schema.defaultInclude)).join(',')
  const tree = checkInclude(paths, root, check)
  const collections = checkIncludedCollections(included, { tree, root, primary }, check)
  return { include: tree, includeSent: include !== null, collections }
}
