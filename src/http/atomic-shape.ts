import type { AtomicShape, AtomicTarget, OperationCode } from '../document/atomic-target.ts'
import { type Extensions, upsertProfile } from '../document/profiles.ts'
import { naturalKey } from '../schema/natural-key.ts'
import type { CompiledServer } from '../server/compile.ts'
import { allowedMethods, matchPath, type PathParams, type Target } from './routes.ts'

/** What a server's endpoints make of the operations of an atomic request. */
export function atomicShape(server: CompiledServer, applied: Extensions): AtomicShape {
  const { schemas, limits } = server
  const schemaOf = (type: string) => schemas.byType.get(type)
  return {
    maxOperations: limits.operations,
    hasUpsert: applied.profile.includes(upsertProfile),
    isType: (type) => schemas.byType.has(type),
    isRelationship: (type, name) => schemaOf(type)?.relations.has(name) ?? false,
    isNaturalKey(type, fields) {
      const schema = schemaOf(type)
      return schema !== undefined && naturalKey(schema, fields) !== null
    },
    supports: (op, target) => allowedMethods(schemas, addressOf(target)).includes(methods[op]),
    targetOf: (href) => targetOf(server, href),
  }
}

const methods: Readonly<Record<OperationCode, string>> = { add: 'POST', update: 'PATCH', remove: 'DELETE' }

function addressOf({ type, id, lid, relationship }: AtomicTarget): Omit<Target, 'method'> {
  const name = id ?? lid
  if (name === null) return { path: '', pattern: '/:type', params: { type } }
  if (relationship === null) return { path: '', pattern: '/:type/:id', params: { type, id: name } }
  return {
    path: '',
    pattern: '/:type/:id/relationships/:relation',
    params: { type, id: name, relation: relationship },
  }
}

/** A URL, relative or not, of what operations can change; null for every other. */
function targetOf({ baseUrl, schemas }: CompiledServer, href: string): AtomicTarget | null {
  const self = `${baseUrl}/operations`
  if (!URL.canParse(href, self)) return null
  const url = new URL(href, self)
  const base = new URL(baseUrl)
  if (url.origin !== base.origin || !url.pathname.startsWith(`${base.pathname}/`) || url.search || url.hash) return null
  const match = matchPath(url.pathname.slice(base.pathname.length))
  return match && toTarget(match.pattern, match.params, schemas)
}

function toTarget(
  pattern: Target['pattern'],
  { type = '', id = '', relation = '' }: PathParams,
  schemas: CompiledServer['schemas'],
): AtomicTarget | null {
  const schema = schemas.byType.get(type)
  if (!schema) return null
  switch (pattern) {
    case '/:type':
      return { type, id: null, lid: null, relationship: null }
    case '/:type/:id':
      return { type, id, lid: null, relationship: null }
    case '/:type/:id/relationships/:relation':
      return schema.relations.has(relation) ? { type, id, lid: null, relationship: relation } : null
    default:
      return null
  }
}
