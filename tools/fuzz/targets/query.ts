import type { CompiledServer } from '@prismapi/core/server/compile'
import { checkQuery, type QuerySubject } from '@prismapi/jsonapi/query/check-query'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { QueryContext } from '@prismapi/jsonapi/query/query-context'
import { requestedAt } from '@prismapi/jsonapi/request/hook-context'
import { defaultLimits } from '@prismapi/jsonapi/request/limits'
import { arbitraryQuery } from '@prismapi/testing/internal/kit/fuzz/arbitrary-query'
import fc from 'fast-check'
import { expectSame, parsedOr, type Target, textOf } from '../target.ts'
import { characterOf, chosenBy, names, schemas } from './example.ts'

const subjects = schemas.flatMap(({ server, schema }) => [
  { server, subject: { schemas: [schema], isCollection: true, relation: null, isRelationship: false } },
  { server, subject: { schemas: [schema], isCollection: false, relation: null, isRelationship: false } },
  ...[...schema.relations.values()].map((relation) => ({
    server,
    subject: { schemas: [schema], isCollection: true, relation, isRelationship: true },
  })),
])

const served = { scopes: new Map(), trash: new Set<string>() }

function read(server: CompiledServer, subject: QuerySubject, search: string): Query {
  const url = Object.assign(new URL('http://localhost/api/v1/posts'), { search })
  const own = { server, served, seen: () => null, user: null, method: 'GET', limits: defaultLimits, observer: null }
  return checkQuery({ ...own, at: requestedAt(url) } as unknown as QueryContext, subject)
}

const encoded = (text: string): string => encodeURIComponent(text)
const meaningOf = ({ include, fields, counts, order, filter, trashed, params }: Query) => ({
  ...{ include, fields, counts, order, filter: unordered(filter), trashed, params },
})

/** Links sort parameters by their keys: the values of a list, and conditions that all hold, may come in another order. */
function unordered(condition: unknown): unknown {
  if (Array.isArray(condition)) return condition.map(unordered).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
  if (typeof condition !== 'object' || condition === null || condition instanceof Date) return condition
  return Object.fromEntries(Object.entries(condition).map(([name, value]) => [name, unordered(value)]))
}

/** A query is read or 400; what links say of it is read as the same query. */
export const query: Target = {
  name: 'query',
  words: [
    ...names,
    ...['filter', 'include', 'sort', 'fields', 'page', 'withCount', 'withStats', '[or][0]', '[not][0]', '[and][0]'],
    ...['[contains]', '[in]', '[isNull]', '[some]', '[none]', '[every]', '[gte]', '&', '=', ',', '.', '-', 'true'],
    ...['[size]', '[number]', '[after]', '[before]', '[limit]', 'trashed', 'only', '%5B', '%5D', '+', '%2C', '\\,'],
  ],
  inputs: fc
    .tuple(fc.nat(subjects.length - 1), arbitraryQuery(schemas.map(({ schema }) => schema)))
    .map(([at, search]) => characterOf(at) + search),
  check(input) {
    const [{ server, subject }, search] = chosenBy(input, subjects)
    const parsed = parsedOr([400], () => read(server, subject, search.toWellFormed()))
    if (!parsed) return
    const printed = `?${parsed.params.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&')}`
    expectSame(meaningOf(parsed), meaningOf(read(server, subject, printed)), printed)
  },
}
