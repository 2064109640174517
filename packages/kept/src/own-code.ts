import { plainActions, relationActions } from '@prismapi/core/auth/actions'
import { isDecidedByRequest } from '@prismapi/core/auth/authorizer'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { ServerContext } from '@prismapi/core/server/serving'
import { memo } from '@prismapi/jsonapi/model/memo'
import { CursorPagination } from '@prismapi/jsonapi/pagination/cursor-pagination'
import { CursorProfilePagination } from '@prismapi/jsonapi/pagination/cursor-profile-pagination'
import { PagePagination } from '@prismapi/jsonapi/pagination/page-pagination'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'

const ownPaginators: ReadonlySet<unknown> = new Set([PagePagination, CursorPagination, CursorProfilePagination])

/**
 * Does code of the application have a say in the answer, other than by its rules and scopes: it may ask a clock, or
 * somebody else. Rather once too often: every type is asked that the URL may lead to.
 */
export function hasOwnCode(ctx: ServerContext, operation: Operation): boolean {
  const { server } = ctx
  const { schema } = operation
  if (server.authorizers.size > 0) return true
  if (isDecidedByRequest(server, schema.model.name)) return true
  const named = 'relation' in operation ? leadsTo(server, operation.relation) : []
  const first = [schema, ...named]
  if (first.some(({ model }) => hasQueryClass(server, model.name))) return true
  const words = new Set(decoded(ctx.at.search).match(/\w[\w-]*/g))
  return reachedFrom(server, first, words).some((each) => isOpaque(server)(each) || namesFilter(each, words))
}

const hasQueryClass = ({ requests }: CompiledServer, model: string): boolean => {
  const classes = requests.get(model)
  return Boolean(classes?.query || classes?.collectionQuery)
}

/** The types that a relation shows something of: that of the rows between, too. */
function leadsTo({ schemas }: CompiledServer, relation: Relation): readonly ResourceSchema[] {
  const targets = targetSchemas(schemas, relation)
  return relation.kind === 'manyThrough' ? [...targets, schemaOf(schemas, relation.pivot.model)] : targets
}

/** Types by names in the URL, and those beside them: what a relation shows is theirs to say. */
function reachedFrom(
  server: CompiledServer,
  first: readonly ResourceSchema[],
  words: ReadonlySet<string>,
): readonly ResourceSchema[] {
  const reached = new Set(first)
  const beside = new Set<ResourceSchema>()
  for (const schema of reached) {
    const named = new Set([...words, ...schema.defaultInclude.flatMap((path) => path.split('.'))])
    for (const relation of schema.relations.values())
      for (const target of leadsTo(server, relation)) (named.has(relation.name) ? reached : beside).add(target)
  }
  return [...reached, ...beside]
}

const namesFilter = ({ filters }: ResourceSchema, words: ReadonlySet<string>): boolean =>
  [...filters.keys()].some((name) => words.has(name))

const isOpaque = memo((server: CompiledServer) => memo((schema: ResourceSchema) => readsByCode(server, schema)))

function readsByCode({ policies, permissions, requests }: CompiledServer, schema: ResourceSchema): boolean {
  const { hooks, paginator, attributes, model } = schema
  const showsCan = permissions !== null && schema.showsCan
  if (hooks.areOwn || (paginator && !ownPaginators.has(paginator.constructor))) return true
  const isOwn = [...attributes.values()].some(
    ({ column, isConverted, writeOnly }) => !writeOnly && (isConverted || !column),
  )
  if (isOwn) return true
  // `meta.can` names the fields that the rules of the request class allow its caller.
  if (showsCan && requests.get(model.name)?.request) return true
  const policy = policies.get(model.name)
  return (
    policy !== undefined && actionsOf(schema).some((name) => (showsCan || name.startsWith('view')) && name in policy)
  )
}

const actionsOf = ({ relations, actions }: ResourceSchema): readonly string[] => [
  ...plainActions,
  ...[...relations.keys()].flatMap((name) => relationActions(name, true)),
  ...actions.keys(),
]

function decoded(search: string): string {
  try {
    return decodeURIComponent(search)
  } catch {
    return search
  }
}
