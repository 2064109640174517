import { methodNames } from '@prismapi/core/auth/policy'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { ServerContext } from '@prismapi/core/server/serving'
import { makeReadRequest } from '@prismapi/core/validation/request/make-request'
import { ResourceRequest } from '@prismapi/core/validation/request/resource-request'
import { memo } from '@prismapi/jsonapi/model/memo'
import { CursorPagination } from '@prismapi/jsonapi/pagination/cursor-pagination'
import { CursorProfilePagination } from '@prismapi/jsonapi/pagination/cursor-profile-pagination'
import { PagePagination } from '@prismapi/jsonapi/pagination/page-pagination'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'

const ownPaginators: ReadonlySet<unknown> = new Set([PagePagination, CursorPagination, CursorProfilePagination])

/**
 * Does code of the application have a say in the answer, other than by its rules and scopes: it may ask a clock, or
 * somebody else. Rather once too often: every type is asked that the URL may lead to.
 */
export function hasOwnCode(ctx: ServerContext, operation: Operation): boolean {
  const { server } = ctx
  const { schema } = operation
  const classes = server.requests.get(schema.model.name)
  if (classes?.query || classes?.collectionQuery || server.authorizers.size > 0) return true
  const request = makeReadRequest(ctx, operation)
  if (request && request.authorize !== ResourceRequest.prototype.authorize) return true
  const words = new Set(decoded(ctx.at.search).match(/[\w-]+/g))
  const schemas = reachedFrom(server, schema, words)
  for (const each of schemas) if (isOpaque(server)(each) || namesFilter(each, words)) return true
  return false
}

/** Types by names in the URL, and those beside them: what a relation shows is theirs to say. */
function reachedFrom(server: CompiledServer, first: ResourceSchema, words: ReadonlySet<string>): Set<ResourceSchema> {
  const reached = new Set([first])
  const beside = new Set<ResourceSchema>()
  for (const schema of reached) {
    const named = new Set([...words, ...schema.defaultInclude.flatMap((path) => path.split('.'))])
    for (const relation of schema.relations.values())
      for (const target of targetSchemas(server.schemas, relation))
        (named.has(relation.name) ? reached : beside).add(target)
  }
  return new Set([...reached, ...beside])
}

const namesFilter = ({ filters }: ResourceSchema, words: ReadonlySet<string>): boolean =>
  [...filters.keys()].some((name) => words.has(name))

const isOpaque = memo((server: CompiledServer) => memo((schema: ResourceSchema) => readsByCode(server, schema)))

function readsByCode({ policies, permissions }: CompiledServer, schema: ResourceSchema): boolean {
  const { hooks, paginator, attributes, model, showsCan } = schema
  if (hooks.areOwn || (paginator && !ownPaginators.has(paginator.constructor))) return true
  const isOwn = [...attributes.values()].some(
    ({ column, isConverted, writeOnly }) => !writeOnly && (isConverted || !column),
  )
  if (isOwn) return true
  const policy = policies.get(model.name)
  const methods = policy ? methodNames(policy).filter((name) => name !== 'abilities') : []
  return methods.some((name) => (permissions !== null && showsCan) || name.startsWith('view'))
}

function decoded(search: string): string {
  try {
    return decodeURIComponent(search)
  } catch {
    return search
  }
}
