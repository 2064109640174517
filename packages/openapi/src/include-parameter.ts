import { memo } from '@prismapi/jsonapi/model/memo'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { type Described, type Part, parameterRef } from './described.ts'
import { listParameter, type ParameterParts } from './parameter.ts'

// More would be most of the document, and of a client's types.
const mostPaths = 50

const relationsOf = (schemas: readonly ResourceSchema[]): readonly Relation[] =>
  schemas.flatMap(({ relations }) => [...relations.values()])

/** What includes begin with at the URLs that answer with resources of a type. */
export function includeParameters(server: Described, schema: ResourceSchema): ParameterParts {
  const part = includeOf(server, relationsOf([schema]))
  return part ? { [nameOf(schema)]: part } : {}
}

const nameOf = ({ type }: ResourceSchema): string => `include.${type}`

// A type of a large server has hundreds of relations, and is where hundreds lead.
const leadsOn = memo(({ relations }: ResourceSchema) =>
  [...relations.values()].some(({ isIncludable }) => isIncludable),
)

/** `include` where the primary data are resources of these types. */
export function resourceInclude(server: Described, schemas: readonly ResourceSchema[]): readonly Part[] {
  const [only, ...others] = schemas
  if (!schemas.some(leadsOn)) return []
  return [only && others.length === 0 ? parameterRef(nameOf(only)) : (includeOf(server, relationsOf(schemas)) as Part)]
}

/** `include` where they are the identifiers of a relation. */
export const linkageInclude = ({ limits }: Described): Part =>
  listParameter(
    'include',
    { type: 'string', pattern: `^[^.,]+${further(limits.includeDepth)}$` },
    { description: 'Related resources to include: paths that begin with the relation.' },
  )

/** The names that a path may go on with. */
const further = (depth: number): string => (depth > 1 ? `(?:\\.[^.,]+){0,${depth - 1}}` : '')

/** Every path where these are few; otherwise what paths begin with. Null where nothing can be included. */
function includeOf(server: Described, root: readonly Relation[]): Part | null {
  const heads = namesOf(root)
  if (heads.length === 0) return null
  const paths = pathsFrom(server, root)
  if (paths) return listParameter('include', { type: 'string', enum: paths }, { description })
  const pattern = `^(?:${heads.join('|')})${further(server.limits.includeDepth)}$`
  return listParameter('include', { type: 'string', pattern }, { description })
}

const description = 'Paths of relations whose resources are included.'

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
    if (all.length > mostPaths) return null
    level = level.map(({ path, relations }) => ({
      path: `${path}.`,
      relations: relationsOf(relations.flatMap((relation) => targetSchemas(schemas, relation))),
    }))
  }
  return all
}
