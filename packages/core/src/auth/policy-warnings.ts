import { isEverything } from '@prismapi/jsonapi/condition/build'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { type AuthorizerClass, leavesToPolicy } from './authorizer.ts'
import { type AnyPolicy, policyMethod } from './policy.ts'
import { compileRules } from './user-rules.ts'

/** A server, as far as it says what an include shows. */
interface Including {
  readonly name: string
  readonly resources: Resources
  readonly schemas: SchemaRegistry
  readonly policies: ReadonlyMap<string, AnyPolicy>
  readonly authorizers: ReadonlyMap<string, AuthorizerClass>
  readonly authorizable: boolean
  readonly viewEverywhere: boolean
}

/** A warning about includes that show rows which policies deny, since an include asks no policy; null without any. */
export function shownThoughDenied(server: Including): string | null {
  if (!server.authorizable || server.viewEverywhere) return null
  const types = [...server.schemas.byType.values()].flatMap((schema) => {
    const paths = pathsTo(schema, server.schemas)
    return paths.length > 0 && deniesSome(server, schema) ? [`${schema.type} (${paths.join(', ')})`] : []
  })
  if (types.length === 0) return null
  return `Server ${server.name}: an include shows rows that policies deny to somebody: ${types.join(', ')}. Set viewEverywhere = true in the server class, or hide these rows by a scope.`
}

/** `posts.author`, for each relation that may be included and leads to the type. */
const pathsTo = ({ model }: ResourceSchema, { byType }: SchemaRegistry): readonly string[] =>
  [...byType.values()].flatMap(({ type, relations }) =>
    [...relations.values()]
      .filter((relation) => relation.isIncludable && targetModels(relation).includes(model.name))
      .map(({ name }) => `${type}.${name}`),
  )

/** Is there a row that a guest may not view. Of code that decides for itself it is taken for granted. */
function deniesSome({ resources, policies, authorizers }: Including, schema: ResourceSchema): boolean {
  if (!schema.authorizable) return false
  const Authorizer = authorizers.get(schema.type)
  if (Authorizer && !leavesToPolicy(Authorizer, 'view')) return true
  const policy = policies.get(schema.model.name)
  if (!policy || policyMethod(policy, 'view')) return true
  try {
    return !isEverything(compileRules(policy, schema, resources, null).conditionFor('view'))
  } catch {
    return true
  }
}

type Linking = Omit<Including, 'resources' | 'authorizers'>

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
