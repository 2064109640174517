import type { Feature } from '@prismapi/core/api/feature'
import type { Call } from '@prismapi/core/http/call'
import type { Plugin } from '@prismapi/core/http/plugin'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { Deprecation } from '@prismapi/jsonapi/schema/deprecation'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { compiledDeprecation, deprecationKey } from './compile-deprecation.ts'
import { setDeprecationHeaders } from './headers.ts'
import { documentUses, endpointUses, operationUses, queryUses } from './uses.ts'

/**
 * Responses say what their request uses that is deprecated. The headers are set before the work begins, so that errors
 * have them, too, and again once the document is known.
 */
export const deprecation: Feature = { compiled: compiledDeprecation, serve: () => deprecationOf }

function deprecationOf({ features, schemas }: CompiledServer): Plugin | null {
  const declared = features.get(deprecationKey)
  if (!declared) return null
  const always = declared.ofServer ? [declared.ofServer] : []
  // Both stages say it.
  const ofUrl = memo(({ route, operation, at }: Call): readonly Deprecation[] => [
    ...always,
    ...(route ? endpointUses(route.about) : []),
    ...(operation ? queryUses(schemas, operation, at) : []),
  ])
  return {
    located: (next) => (call) => {
      setDeprecationHeaders(call.koa, ofUrl(call))
      return next(call)
    },
    prepared: (next) => (call) => {
      setDeprecationHeaders(call.koa, [...ofUrl(call), ...ofDocument(schemas, call)])
      return next(call)
    },
  }
}

function ofDocument(schemas: SchemaRegistry, { operation, operations, body }: Call): readonly Deprecation[] {
  if (operations)
    return operations.flatMap(({ target, data }) => {
      const schema = schemas.byType.get(target.type)
      return schema ? operationUses(schema, target.relationship, data) : []
    })
  return operation && body !== undefined ? documentUses(operation.schema, body) : []
}
