import type { Part as Json } from '@prismapi/openapi/described'
import { longest } from './compare-shapes.ts'
import { announcementOf, type DescribedApi } from './described-api.ts'
import { membersOf, shape, toLinkageShape, toParameterShape, toShape } from './shape.ts'
import { keyOf, type Open, type Part, part, typeItself } from './surface.ts'

interface Asking {
  readonly described: DescribedApi
  readonly type: string
  /** The types that the relations lead to, by name. */
  readonly relations: ReadonlyMap<string, readonly string[]>
  readonly attributes: ReadonlySet<string>
}

interface Asked {
  readonly parts: readonly Part[]
  readonly open: readonly Open[]
}

/** What can be asked of a type: filters, order, pages, includes, numbers of related resources. */
export function queryParts(described: DescribedApi, type: string): Asked {
  const asking = { described, type, ...fieldsOf(described, type) }
  const lists = [listParts(asking, 'include'), listParts(asking, 'sort')]
  return {
    parts: [
      ...filterParts(asking),
      ...pageParts(asking),
      ...countParts(asking),
      ...lists.flatMap(({ parts }) => parts),
    ],
    open: lists.flatMap(({ open }) => open),
  }
}

function fieldsOf({ schemas, find }: DescribedApi, type: string) {
  const resource = membersOf(schemas[`${type}.resource`] ?? {})
  const below = (name: string) => membersOf(resource.find(([member]) => member === name)?.[1] ?? {})
  const relations = below('relationships').map(([name, schema]) => {
    const data = membersOf(schema).find(([member]) => member === 'data')?.[1] ?? {}
    return [name, [...(toLinkageShape(data, find).values ?? [])]] as const
  })
  return { relations: new Map(relations), attributes: new Set(below('attributes').map(([name]) => name)) }
}

/** The part of the field of that name; that of the type where there is none. */
function ownerOf({ type, relations, attributes }: Asking, name: string): string {
  if (attributes.has(name)) return keyOf(type, `attribute ${name}`)
  return keyOf(type, relations.has(name) ? `relationship ${name}` : typeItself)
}

const familyOf = ({ described, type }: Asking, family: string): readonly Json[] =>
  described.parameters.get(`${family}.${type}`) ?? []

/** What filters by a field compare with is the same for all operators: it belongs to the field. */
function filterParts(asking: Asking): readonly Part[] {
  const { described, type } = asking
  const parts = new Map<string, Part>()
  for (const parameter of familyOf(asking, 'filter')) {
    const key = String(parameter.name)
    const name = /^filter\[([^\]]+)\]/.exec(key)?.[1] ?? ''
    const announcement = announcementOf(parameter)
    const { bounds, ...value } = toParameterShape((parameter.schema ?? {}) as Json, described.find)
    const isCount = (bound: string) => bound.endsWith('Items')
    const within = (isBound: (bound: string) => boolean) => new Map([...bounds].filter(([bound]) => isBound(bound)))
    const each = { ...value, bounds: within((bound) => !isCount(bound)) }
    const of = { where: type, announcement }
    const whole = part({ ...of, what: `filters by ${name}`, within: ownerOf(asking, name), shape: each })
    // The first is that without an operator, or `equals`; others may ask for true or false.
    if (!parts.has(whole.key)) parts.set(whole.key, whole)
    const one = part({ ...of, what: key, within: whole.key, shape: shape({ bounds: within(isCount) }) })
    parts.set(one.key, one)
  }
  return [...parts.values()]
}

const pageParts = (asking: Asking): readonly Part[] =>
  familyOf(asking, 'page').map(({ name, schema }) =>
    part({ where: asking.type, what: String(name), shape: toShape((schema ?? {}) as Json, asking.described.find) }),
  )

function countParts(asking: Asking): readonly Part[] {
  const { described, type } = asking
  const operation = described.operations.find(({ id }) => id === `${type}.viewAny` || id === `${type}.view`)
  const counts = operation?.parameters.find(({ name }) => name === 'withCount')
  const names = toParameterShape((counts?.schema ?? {}) as Json, described.find).values ?? []
  return [...names].map((name) => part({ where: type, what: `withCount=${name}`, within: ownerOf(asking, name) }))
}

/** `include` or `sort`: a part for each path that is written out; where they are a pattern, for where they begin. */
function listParts(asking: Asking, name: 'include' | 'sort'): Asked {
  const { type, relations } = asking
  const [parameter] = familyOf(asking, name)
  if (!parameter) return { parts: [], open: [] }
  const schema = (parameter.schema ?? {}) as Json
  const items = (schema.items ?? {}) as Json
  const either = [items, ...((items.anyOf ?? []) as readonly Json[])]
  const written = either.flatMap(({ enum: values }) => (values ?? []) as readonly string[])
  const pattern = either.map((each) => each.pattern).find((each) => typeof each === 'string')
  const accepts = typeof pattern === 'string' ? new RegExp(pattern) : null
  const heads = [...relations.keys()].map((head) => (name === 'sort' ? `${head}.id` : head))
  const paths = [...written.filter((path) => !path.startsWith('-')), ...heads.filter((head) => accepts?.test(head))]
  const whole = part({ where: type, what: name, shape: listShape(schema, accepts, paths) })
  const alone = { announcement: announcementOf(parameter) }
  return {
    parts: [{ ...whole, ...alone }, ...paths.map((path) => pathPart(asking, name, path))],
    open: accepts ? [{ within: whole.key, accepts }] : [],
  }
}

function listShape({ maxItems }: Json, accepts: RegExp | null, paths: readonly string[]) {
  const rest = accepts && /\{\d+,(\d+)\}/.exec(accepts.source)?.[1]
  const depth = accepts
    ? (['maxDepth', Number(rest ?? 0) + 1] as const)
    : ([longest, Math.max(0, ...paths.map((path) => path.split('.').length))] as const)
  return shape({ bounds: new Map([...(typeof maxItems === 'number' ? [['maxItems', maxItems] as const] : []), depth]) })
}

/** It depends on the relation that it begins with, on its last part in the target's type, and on its beginning. */
function pathPart(asking: Asking, name: 'include' | 'sort', path: string): Part {
  const { type, relations } = asking
  // `dueAt:nullsLast` is a way to sort by `dueAt`.
  const [named = ''] = path.split(':')
  const [head = '', ...rest] = named.split('.')
  const ends = rest.length > 0 ? (relations.get(head) ?? []) : []
  const before = path.slice(0, path.lastIndexOf('.'))
  return part({
    where: type,
    what: `${name}=${path}`,
    within: rest.length === 0 ? ownerOf(asking, head) : keyOf(type, name),
    needs: [
      keyOf(type, name),
      ...(named === path ? [] : [keyOf(type, `${name}=${named}`)]),
      ...(rest.length > 0 ? [ownerOf(asking, head)] : []),
      ...ends.map((end) => keyOf(end, `${name}=${rest.join('.')}`)),
      ...(rest.length > 0 && name === 'include' ? [keyOf(type, `include=${before}`)] : []),
    ],
  })
}
