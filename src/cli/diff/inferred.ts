import { noExtensions } from '../../document/profiles.ts'
import type { Resources } from '../../model/meta.ts'
import { unknownServices } from '../../model/services.ts'
import { openApiDocument } from '../../openapi/document.ts'
import { defaultLimits } from '../../request/limits.ts'
import { compileRegistry } from '../../schema/registry.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
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
    version: '1.1',
    supportedExtensions: noExtensions,
    resources,
    reads: 'auto',
    schemas: registry,
    services: unknownServices,
    requests: new Map(),
    limits: defaultLimits,
    etags: true,
    isRateLimited: false,
    openapi: {},
    deprecation: null,
    deprecates: false,
    features: { openapi: [] },
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
