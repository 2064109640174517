import {
  findOperation,
  findRouteAt,
  type Operation,
  type PathParams,
  patterns,
  type Route,
  routeTemplate,
} from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'

/** A method at a path that a server answers, and what it means there. */
export interface Served {
  readonly method: string
  /** Below the server's base path, with `{id}` in the place of an id. */
  readonly template: string
  readonly operation: Operation
}

/** The addresses of a type, as the server itself finds them. `HEAD` is left out: it goes where `GET` does. */
export const servedOf = (schemas: SchemaRegistry, schema: ResourceSchema): readonly Served[] =>
  routesOf(schemas, schema).flatMap((route) =>
    Object.keys(route.kinds).flatMap((method) => {
      const operation = method === 'HEAD' ? null : findOperation(route, method)
      return operation ? [{ method, template: routeTemplate(route), operation }] : []
    }),
  )

function routesOf(schemas: SchemaRegistry, schema: ResourceSchema): readonly Route[] {
  return patterns.flatMap((pattern) =>
    paramsOf(pattern, schema).flatMap((params) => {
      const route = findRouteAt(schemas, { pattern, params })
      // Where a type has no statistics, theirs is the path of a resource.
      return route?.pattern === pattern ? [route] : []
    }),
  )
}

function paramsOf(pattern: string, { type, relations, actions }: ResourceSchema): readonly PathParams[] {
  const own = { type, id: '1' }
  if (pattern.includes(':relation')) return [...relations.keys()].map((relation) => ({ ...own, relation }))
  if (pattern.includes(':action')) return [...actions.keys()].map((action) => ({ ...own, action }))
  return [own]
}
