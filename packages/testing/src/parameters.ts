/** One value of a parameter; dates are sent in ISO 8601. */
export type ParameterValue = string | number | bigint | boolean | Date

/**
 * Conditions by attribute or path: a value, a list of alternatives, operators, and groups. A comma in a value is part
 * of it.
 *
 * @example
 * const filter: TestFilter = {
 *   title: 'One',
 *   id: [1, 2],
 *   createdAt: { gte: new Date(0) },
 *   or: [{ slug: 'a' }, { slug: 'b' }],
 * }
 */
export interface TestFilter {
  /** By attribute, path or group (`and`, `or`, `not`). */
  readonly [name: string]: ParameterValue | readonly ParameterValue[] | TestFilter | readonly TestFilter[]
}

/** Query parameters by their names, in the order in which they were asked for; several values repeat the name. */
export type Parameters = ReadonlyMap<string, string | readonly string[]>

/** The parameters with one more; of the same name the last one counts. */
export const withParameter = (parameters: Parameters, name: string, value: string | readonly string[]): Parameters =>
  new Map(parameters).set(name, value)

/** The parameters with more in a comma list. */
export const withListed = (parameters: Parameters, name: string, items: readonly string[]): Parameters =>
  withParameter(parameters, name, [parameters.get(name), ...items].filter((item) => item !== undefined).join(','))

/** The parameters with a filter, `filter[title][contains]=x`. */
export function withFilter(parameters: Parameters, filter: TestFilter): Parameters {
  return conditionsOf('filter', filter).reduce((all, [name, value]) => withParameter(all, name, value), parameters)
}

type Condition = readonly [name: string, value: string | readonly string[]]

const conditionsOf = (name: string, filter: TestFilter): readonly Condition[] =>
  Object.entries(filter).flatMap(([key, value]) => valuesOf(`${name}[${key}]`, value, null))

function valuesOf(name: string, value: TestFilter[string], operator: string | null): readonly Condition[] {
  if (isListed(value)) return [[name, listText(value.map((each) => valueText(each, name)))]]
  // Conditions in a list are a group, whose indexes are names as others are.
  if (Array.isArray(value)) return value.flatMap((each: TestFilter, i) => conditionsOf(`${name}[${i}]`, each))
  if (isNested(value)) return Object.entries(value).flatMap(([key, each]) => valuesOf(`${name}[${key}]`, each, key))
  const text = valueText(value, name)
  return [[name, operator === null || listOperators.has(operator) ? escaped(text) : text]]
}

// The others take one value, whose commas are plain.
const listOperators: ReadonlySet<string> = new Set(['in', 'notIn', 'hasSome', 'hasEvery'])

const isNested = (value: TestFilter[string]): value is TestFilter | readonly TestFilter[] =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

const isListed = (value: TestFilter[string]): value is readonly ParameterValue[] =>
  Array.isArray(value) && !value.some(isNested)

// A backslash before the separating comma would escape it. If the parameter is repeated, each value stays as it is.
const listText = (texts: readonly string[]): string | readonly string[] =>
  texts.slice(0, -1).some((text) => text.endsWith('\\')) ? texts : texts.map(escaped).join(',')

const escaped = (text: string): string => text.replaceAll(',', '\\,')

/** @throws {Error} for null and undefined, which no URL can say. */
export function valueText(value: ParameterValue | readonly ParameterValue[], name: string): string {
  if (value === null || value === undefined) {
    const cure = value === null && name.startsWith('filter') ? ', or say { isNull: true }' : ''
    throw new Error(`${name}: ${value} is no value of a parameter. Leave it out${cure}.`)
  }
  return value instanceof Date ? value.toISOString() : String(value)
}

/** `?include=author&page%5Bsize%5D=1`, or nothing. */
export function queryText(parameters: Parameters, path: string): string {
  const pairs = [...parameters].flatMap(([name, value]) =>
    [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`),
  )
  return pairs.length === 0 ? '' : `${path.includes('?') ? '&' : '?'}${pairs.join('&')}`
}
