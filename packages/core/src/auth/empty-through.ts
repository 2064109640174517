import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import type { AnyPolicy } from './policy.ts'

/** A server, as far as it says which rows between two models are seen. */
interface Linking {
  readonly name: string
  readonly schemas: SchemaRegistry
  readonly policies: ReadonlyMap<string, AnyPolicy>
  readonly authorizable: boolean
  readonly viewEverywhere: boolean
}

/** A warning about relations that are always empty, because they lead through rows that no policy shows; or null. */
export function emptyThrough(server: Linking): string | null {
  if (!server.authorizable || !server.viewEverywhere) return null
  const pivots = new Set<string>()
  const empty = [...server.schemas.byType.values()].flatMap(({ type, relations }) =>
    [...relations.values()].flatMap((relation) => {
      if (relation.kind !== 'manyThrough' || !isUnseen(server, relation.pivot.model)) return []
      pivots.add(relation.pivot.model)
      return [`${type}.${relation.name}`]
    }),
  )
  if (empty.length === 0) return null
  const cures = [...pivots].map((model) => `npx prismapi policy ${model}`)
  return `Server ${server.name}: ${empty.join(', ')} ${empty.length > 1 ? 'are' : 'is'} empty for everybody, because ${[...pivots].join(', ')} has no policy. Write one: ${cures.join(', ')}.`
}

// Of a model that the server does not serve no policy is asked.
const isUnseen = ({ schemas, policies }: Linking, model: string): boolean =>
  schemas.byModel.get(model)?.authorizable === true && !policies.has(model)
