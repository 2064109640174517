import type { JsonApiError } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { PageParams } from '../pagination/paginator.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Statistics } from '../schema/statistics.ts'
import { checkCollection, refuseCollection, withPage } from './collection.ts'
import { checkAll, mapAll, throwAny } from './failures.ts'
import { checkInclude, rootOf } from './include.ts'
import { checkIncludedCollection, checkIncludedCollections } from './included-collections.ts'
import { parseQuery, type RawQuery } from './parse.ts'
import type { FieldSets, IncludedCollection, Query } from './query.ts'
import { cachedQuery, inputsOf } from './query-cache.ts'
import { type CheckContext, knownAttribute, type QueryContext, toCheckContext } from './query-context.ts'
import { ofParameter, parametersFor, type QueryParameter } from './query-parameter.ts'
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
  const { search, parameters } = ctx.at
  const check = (seen: CheckContext['seen']) =>
    checkAnew(parseSent(ctx, subject, options), subject, {
      check: { ...toCheckContext(ctx), seen },
      ofFeatures: parametersFor(ctx.server.features.parameters, subject),
      ...options,
    })
  // What an application's rules make of a query is theirs to know. What has no text is not found again by it.
  if (options.rules || options.allow || parameters?.length) return check(ctx.seen)
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

/** What an included collection of a type shows where the query asks nothing of it: a page in the type's own order. */
export function includedByDefault(ctx: QueryContext, schema: ResourceSchema): IncludedCollection {
  const { includeDepth, sortKeys } = ctx.limits
  return cachedQuery({
    about: schema,
    kind: `included ${includeDepth} ${sortKeys}`,
    search: '',
    scopes: ctx.served.scopes,
    seen: ctx.seen,
    inputsOf: () => inputsOf({ parameters: [] }, [schema], ctx.server.schemas),
    check: (seen) => checkIncludedCollection([], schema, { ...toCheckContext(ctx), seen }),
    withPage: () => null,
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
    allow: [
      ...allow,
      ...parametersFor(server.features.parameters, subject).map(({ name }) => name),
      ...(statisticsOf(subject) ? [statsFamily] : []),
    ],
    ignoresUnknown: server.ignoresUnknownParameters,
  })

/** What figures can be asked for beside the resources. To all other queries `withStats` is an unknown parameter. */
const statisticsOf = ({ schemas: [schema], isCollection, isRelationship }: QuerySubject): Statistics | null =>
  isCollection && !isRelationship && schema ? schema.statistics : null

interface Checking extends Pick<QueryOptions, 'rules'> {
  readonly check: CheckContext
  /** The parameters of features that mean something here. */
  readonly ofFeatures: readonly QueryParameter[]
}

function checkAnew(raw: RawQuery, subject: QuerySubject, { rules, check, ofFeatures }: Checking): Query {
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
    features: () => mapAll(ofFeatures, (parameter) => checkOf(parameter, raw)),
    rules: () => throwAny(rules?.(raw) ?? []),
  })
  return Object.freeze({ ...included, fields, counts, stats, ...collection })
}

function checkOf(parameter: QueryParameter, { parameters }: RawQuery): void {
  const sent = ofParameter(parameter, parameters)
  if (sent.length > 0) parameter.parse(sent)
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

/**
 * In: comma lists of fields by type. Out: sets of them. An empty list leaves no field.
 *
 * @throws JsonApiError 400 for every type that the server does not know and every field that a type does not show.
 */
export function checkFields(sent: ReadonlyMap<string, string>, check: CheckContext): FieldSets {
  return new Map(
    mapAll(sent, ([type, list]): [string, ReadonlySet<string>] => {
      const schema = check.registry.byType.get(type)
      if (!schema) throw badParameter(`fields[${type}]`, say`Resource type ${type} is not recognised.`)
      const names = list === '' ? [] : new Set(list.split(','))
      return [type, new Set(mapAll(names, (name) => checkField(schema, name, check)))]
    }),
  )
}

function checkField(schema: ResourceSchema, name: string, check: CheckContext): string {
  const { type, relations } = schema
  const attribute = knownAttribute(schema, name, check)
  if (relations.has(name) || (attribute && !attribute.writeOnly)) return name
  throw badParameter(`fields[${type}]`, say`Sparse field set ${type}.${name} is not allowed.`)
}

const none: ReadonlySet<string> = new Set()

/**
 * In: a comma list of relations of the primary data. Out: the set of them.
 *
 * @throws JsonApiError 400 for every one that no schema has, or none lets be counted.
 */
export function checkCounts(sent: string | null, schemas: readonly ResourceSchema[]): ReadonlySet<string> {
  if (sent === null || sent === '') return none
  return new Set(mapAll(new Set(sent.split(',')), (name) => checkCount(name, schemas)))
}

function checkCount(name: string, schemas: readonly ResourceSchema[]): string {
  if (schemas.some((schema) => isCountable(schema, name))) return name
  throw badParameter('withCount', say`Field ${name} is not countable.`)
}

function isCountable({ relations }: ResourceSchema, name: string): boolean {
  const relation = relations.get(name)
  return relation !== undefined && isToMany(relation) && relation.isCountable
}

/** `withCount` where no resource is the primary data. */
export function refuseCounts(sent: string | null): ReadonlySet<string> {
  if (sent === null) return none
  throw badParameter('withCount', say`Parameter withCount is not allowed.`)
}
