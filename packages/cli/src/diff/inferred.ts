import { noExtensions } from '@prismapi/jsonapi/document/types'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { unknownServices } from '@prismapi/jsonapi/model/register'
import { defaultLimits } from '@prismapi/jsonapi/request/limits'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { openApiDocument } from '@prismapi/openapi/document'
import { readSurface } from './read-surface.ts'
import { shape } from './shape.ts'
import { type Part, part, type Surface } from './surface.ts'

/** A server that says nothing of its own: what is inferred from the Prisma schema alone. */
export function inferredSurface(resources: Resources): Surface {
  const { maxPageSize } = defaultLimits
  const { registry } = compileRegistry({ resources, schemas: new Map(), only: null, maxPageSize })
  const document = openApiDocument({
    name: 'inferred',
    basePath: '/api',
    baseUrl: '/api',
    base: { text: '/api', names: [] },
    params: {},
    version: '1.1',
    supportedExtensions: noExtensions,
    resources,
    reads: 'auto',
    schemas: registry,
    services: unknownServices,
    requests: new Map(),
    limits: defaultLimits,
    etags: true,
    features: { openapi: [], parameters: [], get: () => null },
  })
  const surface = readSurface(document)
  const ids = [...registry.byType.values()].map(idPart)
  return Object.freeze({ ...surface, parts: new Map([...surface.parts, ...ids.map((id) => [id.key, id] as const)]) })
}

/** Documents have text for every id; what clients have kept finds nothing where it is made of other columns. */
function idPart({ type, id, model }: ResourceSchema): Part {
  const kinds = id.columns.map((name) => kindOf(model.columns[name]?.type ?? ''))
  return part({ where: type, what: 'ids', shape: shape({ types: new Set([kinds.join(' and ')]) }) })
}

const kindOf = (type: string): string => (type === 'Int' || type === 'BigInt' ? 'integer' : type)
