import type { Relation } from '../schema/relation-kinds.ts'
import { type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import { type Described, type Part, parameterRef } from './described.ts'
import { listParameter, type ParameterParts } from './parameter.ts'

// More would be most of the document, and of a client's types.
const maxPaths = 100

const rootOf = (schemas: readonly ResourceSchema[]): readonly Relation[] =>
  schemas.flatMap(({ relations }) => [...relations.values()])

/** What includes begin with at the URLs of a type, and of the linkage of its relations. */
export const includeParameters = (server: Described, schema: ResourceSchema): ParameterParts =>
  Object.fromEntries([
    ...parameterOf(server, nameOf(schema), rootOf([schema])),
    ...[...(server.shared ? [] : schema.relations.values())].flatMap((relation) =>
      parameterOf(server, nameOf(schema, relation), [relation]),
    ),
  ])

const nameOf = ({ type }: ResourceSchema, relation?: Relation): string =>
  relation ? `include.${type}.${relation.name}` : `include.${type}`

/** `include` where the primary data are resources of these types. */
export function resourceInclude(server: Described, schemas: readonly ResourceSchema[]): readonly Part[] {
  const [first, ...more] = schemas
  if (first && more.length === 0) return hasPaths(rootOf([first])) ? [parameterRef(nameOf(first))] : []
  return parameterOf(server, '', rootOf(schemas)).map(([, parameter]) => parameter)
}

/** `include` where they are the identifiers of a relation. */
export function linkageInclude(
  { shared, limits }: Described,
  schema: ResourceSchema,
  relation: Relation,
): readonly Part[] {
  if (!hasPaths([relation])) return []
  return [shared ? anyInclude(limits.includeDepth) : parameterRef(nameOf(schema, relation))]
}

const related = 'Related resources to include, by paths of relations.'

/** In a large document, that of the linkage of any relation. */
const anyInclude = (depth: number): Part =>
  listParameter(
    'include',
    { type: 'string', pattern: `^[^.,]+(?:\\.[^.,]+){0,${depth - 1}}$` },
    { description: 'Related resources to include: paths that begin with the relation.' },
  )

const hasPaths = (root: readonly Relation[]): boolean => root.some(({ isIncludable }) => isIncludable)

function parameterOf(server: Described, name: string, root: readonly Relation[]): readonly (readonly [string, Part])[] {
  if (!hasPaths(root)) return []
  const paths = server.shared ? null : pathsFrom(server, root)
  if (paths) return [[name, listParameter('include', { type: 'string', enum: paths }, { description: related })]]
  const heads = namesOf(root)
  const { includeDepth } = server.limits
  const rest = includeDepth > 1 ? `(?:\\.[^.,]+){0,${includeDepth - 1}}` : ''
  const description = `Related resources to include: paths that begin with one of ${heads.join(', ')}.`
  return [
    [name, listParameter('include', { type: 'string', pattern: `^(?:${heads.join('|')})${rest}$` }, { description })],
  ]
}

const namesOf = (relations: readonly Relation[]): readonly string[] => [
  ...new Set(relations.flatMap(({ name, isIncludable }) => (isIncludable ? [name] : []))),
]

/** Every path, the short ones first; null where there are too many. */
function pathsFrom({ limits, schemas }: Described, root: readonly Relation[]): readonly string[] | null {
  let level: readonly { readonly path: string; readonly relations: readonly Relation[] }[] = [
    { path: '', relations: root },
  ]
  const all: string[] = []
  for (let depth = 0; depth < limits.includeDepth; depth++) {
    level = level.flatMap(({ path, relations }) =>
      namesOf(relations).map((name) => {
        const named = relations.filter((relation) => relation.name === name && relation.isIncludable)
        return { path: path + name, relations: named }
      }),
    )
    all.push(...level.map(({ path }) => path))
    if (all.length > maxPaths) return null
    level = level.map(({ path, relations }) => ({
      path: `${path}.`,
      relations: rootOf(relations.flatMap((relation) => targetSchemas(schemas, relation))),
    }))
  }
  return all
}
