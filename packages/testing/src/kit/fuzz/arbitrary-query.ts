import { operators } from '@prismapi/jsonapi/condition/condition'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { figureFunctions } from '@prismapi/jsonapi/schema/statistics'
import fc, { type Arbitrary } from 'fast-check'

// Query strings that are nearly right, or anything.

const text = fc.string({ unit: 'binary', maxLength: 12 })
const odd = fc.constantFrom(
  '',
  '0',
  '-1',
  '1.5',
  '2147483648',
  '9'.repeat(40),
  'null',
  'true',
  '\u0000',
  '\ud800',
  '%',
  '__proto__',
  "' OR 1=1 --",
  '2024-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  'NaN',
  '1e400',
  ',',
  ',,',
  'x'.repeat(1100),
  '\\,',
  '*',
  '$',
)
const operator = fc.constantFrom(
  ...operators,
  ...['isNull', 'is', 'isNot', 'some', 'every', 'none', 'icontains', '', '0', 'constructor'],
)

/** With its question mark; empty for none. */
export const queryOf = (pairs: readonly (readonly [key: string, value: string])[]): string =>
  pairs.length > 0 ? `?${pairs.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&')}` : ''

const encoded = (part: string): string =>
  encodeURIComponent(part.toWellFormed()).replaceAll('%5B', '[').replaceAll('%5D', ']')

/** Names of all types with values of any kind: hardly one of them is taken. */
export function arbitraryQuery(schemas: readonly ResourceSchema[]): Arbitrary<string> {
  const types = fc.constantFrom(...schemas.map(({ type }) => type), 'nothing', '__proto__')
  const names = [
    ...new Set(schemas.flatMap(({ attributes, relations }) => [...attributes.keys(), ...relations.keys()])),
  ]
  const name = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...names, 'id') },
    { weight: 1, arbitrary: fc.oneof(text, odd) },
  )
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
  const paths = fc.array(path, { maxLength: 2 }).map((list) => list.join(','))
  const order = fc
    .array(fc.tuple(fc.constantFrom('', '-', '+'), path), { maxLength: 3 })
    .map((list) => list.map((each) => each.join('')).join(','))
  const value = fc.oneof(
    odd,
    text,
    fc.integer().map(String),
    fc.constantFrom('1', 'post-1', '1,2,3', 'MEMBER', 'false'),
  )
  const condition = fc.oneof(
    path.map((each) => `[${each}]`),
    fc.tuple(path, operator).map(([each, name]) => `[${each}][${name}]`),
    fc.tuple(name, operator, name).map(([a, by, b]) => `[${a}][${by}][${b}]`),
  )
  const group = fc
    .tuple(fc.constantFrom('or', 'and', 'not'), fc.nat({ max: 3 }), condition)
    .map(([kind, n, each]) => `[${kind}][${n}]${each}`)
  const page = fc.constantFrom('number', 'size', 'limit', 'after', 'before', 'cursor', 'offset', '', 'x')
  const pair: Arbitrary<readonly [string, string]> = fc.oneof(
    fc.tuple(fc.constantFrom('include', 'withCount', 'groupBy'), paths),
    fc.tuple(
      name.map((each) => `withStats[${each}]`),
      fc.subarray([...figureFunctions, 'median', '']).map((list) => list.join(',')),
    ),
    fc.tuple(fc.constant('sort'), order),
    fc.tuple(
      types.map((type) => `fields[${type}]`),
      paths,
    ),
    fc.tuple(
      fc.oneof(condition, group).map((each) => `filter${each}`),
      value,
    ),
    fc.tuple(
      page.map((each) => `page[${each}]`),
      value,
    ),
    fc.tuple(
      fc
        .tuple(fc.constantFrom('includePage', 'includeSort', 'includeFilter'), path, page)
        .map(([family, at, key]) => `${family}[${at}][${key}]`),
      value,
    ),
    fc.tuple(fc.constantFrom('filter[trashed]', 'filter[id]', 'filter', 'page', 'fields', 'nothing'), value),
    fc.tuple(text, text),
  )
  const broken = fc.constantFrom('?%', '?%zz=1', '?a[=1', '?a]=1', '?=', '?&&&', '?filter[[x]]=1', '?%ED%A0%80=1', '??')
  const right = fc.array(pair, { maxLength: 3 }).map(queryOf)
  return fc.oneof({ weight: 15, arbitrary: right }, { weight: 1, arbitrary: broken })
}
