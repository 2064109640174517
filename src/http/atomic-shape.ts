import { type AtomicShape, type AtomicTarget, methodOf } from '../actions/atomic/target.ts'
import { type Extensions, upsertProfile } from '../document/profiles.ts'
import { type Address, matchPath, routeOf } from '../request/routes.ts'
import { naturalKey } from '../schema/natural-key.ts'
import type { CompiledServer } from '../server/compile.ts'

/** What a server's endpoints make of the operations of an atomic request. */
export function atomicShape(server: CompiledServer, negotiated: Extensions): AtomicShape {
  const { schemas, limits } = server
  const schemaOf = (type: string) => schemas.byType.get(type)
  return {
    maxOperations: limits.operations,
    hasUpsert: negotiated.profile.includes(upsertProfile),
    isType: (type) => schemas.byType.has(type),
    isRelationship: (type, name) => schemaOf(type)?.relations.has(name) ?? false,
    isNaturalKey(type, fields) {
      const schema = schemaOf(type)
      return schema !== undefined && naturalKey(schema, fields) !== null
    },
    supports: (op, target) => Object.hasOwn(routeOf(schemas, addressOf(target))?.kinds ?? {}, methodOf[op]),
    targetOf: (href) => targetOf(server, href),
  }
}

function addressOf({ type, id, lid, relationship }: AtomicTarget): Address {
  const name = id ?? lid
  if (name === null) return { pattern: '/:type', params: { type } }
  if (relationship === null) return { pattern: '/:type/:id', params: { type, id: name } }
  return {
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
  return match && toTarget(match, schemas)
}

function toTarget(
  { pattern, params: { type = '', id = '', relation = '' } }: Address,
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
