import { actionsOfType, expandAction } from '@prismapi/core/auth/actions'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { ServeParts } from 'prismapi/features'
import type { ScopeActions } from './token-scopes.ts'

const groups: Readonly<Record<string, (schema: ResourceSchema) => readonly string[]>> = {
  reads: (schema) => expandAction(schema, '*reads'),
  writes: (schema) => ['create', 'forceDelete', ...expandAction(schema, '*writes')],
  all: actionsOfType,
}

/** All that scopes together let a token do with a type. */
export function actionsAt(schema: ResourceSchema, scopes: readonly ScopeActions[]): ReadonlySet<string> {
  const named = scopes.flatMap((scope: Readonly<Record<string, readonly string[] | undefined>>) => [
    ...(scope['*'] ?? []),
    ...(scope[schema.model.name] ?? []),
  ])
  return new Set(named.flatMap((name) => groups[name]?.(schema) ?? [name]))
}

/** @throws {Error} for a model that no server has, and for an action that no type of that model has. */
export function checkScopes(declared: Readonly<Record<string, ScopeActions>>, servers: ServeParts['servers']): void {
  const schemas = servers.flatMap(({ schemas }) => [...schemas.byModel.values()])
  for (const [scope, actions] of Object.entries(declared))
    for (const [model, names = []] of Object.entries(actions)) {
      const types = schemas.filter((schema) => model === '*' || schema.model.name === model)
      if (types.length === 0)
        throw unknown(
          `tokenScopes: scope ${scope}: no server has the model ${model}.`,
          model,
          schemas.map((schema) => schema.model.name),
        )
      const known = [...Object.keys(groups), ...types.flatMap(actionsOfType)]
      const wrong = names.find((name) => !known.includes(name))
      if (wrong !== undefined)
        throw unknown(`tokenScopes: scope ${scope}: ${model} has no action ${wrong}.`, wrong, known)
    }
}

function unknown(message: string, name: string, known: readonly string[]): Error {
  const meant = nearest(name, [...new Set(known)])
  return new Error(`${message}${meant ? ` Did you mean ${meant}?` : ''}`)
}
