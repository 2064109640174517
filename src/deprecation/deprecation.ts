import type { Feature } from '../api/feature.ts'
import type { Call } from '../http/call.ts'
import type { Plugin } from '../http/plugin.ts'
import { memo } from '../model/memo.ts'
import type { Deprecation } from '../schema/deprecation.ts'
import type { SchemaRegistry } from '../schema/resource-schema.ts'
import type { CompiledServer } from '../server/compile.ts'
import { setDeprecationHeaders } from './headers.ts'
import { documentUses, endpointUses, operationUses, queryUses } from './uses.ts'

/**
 * Answers say what of their request is deprecated. It is said before the work begins, so that errors say it too, and again
 * once the document is known.
 */
export const deprecation: Feature = { serve: () => deprecationOf }

function deprecationOf({ deprecates, deprecation, schemas }: CompiledServer): Plugin | null {
  if (!deprecates) return null
  const always = deprecation ? [deprecation] : []
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
