import type { Ceiling } from '@prismapi/core/auth/caller'
import { limited } from '@prismapi/core/auth/caller'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { say } from '@prismapi/jsonapi/document/text'
import type { ModelName } from '@prismapi/jsonapi/model/register'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Feature } from 'prismapi/features'
import { actionsAt, checkScopes } from './scope-actions.ts'

/**
 * What a scope lets a token be used for: for each model, and by `'*'` for all of them, actions as policies call them,
 * or groups of them. `reads`: `viewAny`, `view` and every `view<Relation>`. `writes`: `create`, `update`, `delete`,
 * `forceDelete`, and every `update`, `attach` and `detach` of a relation. `all`: every action, those of its own too.
 */
export type ScopeActions = { readonly [M in ModelName | '*']?: readonly string[] }

/** The scopes of an application, as a feature and as what signs in by tokens asks. */
export interface TokenScopes extends Feature {
  /** Their names, in the order of declaration. */
  readonly names: readonly string[]
  /**
   * The same user, who may do no more than these scopes together let them. Names that are none of the application's,
   * such as `openid`, let nobody do anything.
   */
  limit<U extends object>(user: U, scopes: readonly string[]): U
}

/** What there is beside scopes. */
export interface TokenScopesOptions {
  /**
   * What agents may be used for, by their names: the scope `agent:reader` of a token, or of an API key, is that of an
   * agent called `reader`. It takes away from what the user, and the other scopes of the token, may do.
   */
  readonly agents?: Readonly<Record<string, ScopeActions>>
}

/**
 * Declares the scopes of tokens and API keys: a ceiling of what policies allow. A scope gives nothing. A caller whose
 * token has the scope `read` may do what the policies allow the user, as far as it is reading.
 *
 * List the result among the features in `src/app/features.ts`, so that `prismapi policies assert` knows the scopes, and
 * hand it to `oidc` or `apiKeys`, which limit the users of tokens by it.
 *
 * @throws {Error} at startup, for a model or an action that no server has.
 * @example
 * const scopes = tokenScopes({
 *   read: { '*': ['reads'] },
 *   write: { '*': ['reads', 'writes'] },
 *   publish: { Post: ['reads', 'publish'] },
 * })
 */
export function tokenScopes(
  declared: Readonly<Record<string, ScopeActions>>,
  { agents = {} }: TokenScopesOptions = {},
): TokenScopes {
  const scopeNames = Object.keys(declared)
  const ofAgents = new Map(Object.entries(agents).map(([name, actions]) => [agentScope(name), actions]))
  const names = [...scopeNames, ...ofAgents.keys()]
  const wrong = names.find((name) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))
  if (wrong !== undefined)
    throw new Error(`tokenScopes: "${wrong}" is no scope. Write a name without blanks and quotes.`)
  const known = new Map<string, Ceiling>()
  const ceilingFor = (given: readonly string[]): Ceiling => {
    const scopes = scopeNames.filter((name) => given.includes(name))
    const key = scopes.join(' ')
    const ceiling = known.get(key) ?? makeCeiling(declared, scopes)
    // As many as there are sets of scopes that tokens have, of which the application declares each scope.
    if (known.size < 1000) known.set(key, ceiling)
    return ceiling
  }
  const agentCeilings = new Map(
    [...ofAgents].map(([name, actions]) => [
      name,
      Object.freeze({ ...makeCeiling({ [name]: actions }, [name]), name }),
    ]),
  )
  // One that the application does not know may do nothing.
  const agentCeiling = (name: string): Ceiling => agentCeilings.get(name) ?? ceilingFor([])
  return {
    names,
    limit(user, given) {
      const acting = given.filter(isOfAgent)
      const others = given.filter((name) => !isOfAgent(name))
      // A token of an agent alone may do what its user may, as far as the agent may.
      const limits = acting.length > 0 && others.length === 0 ? [] : [ceilingFor(others)]
      return [...limits, ...acting.map(agentCeiling)].reduce(limited, user)
    },
    ceilings: [...scopeNames.map((name) => ceilingFor([name])), ...[...ofAgents.keys()].map(agentCeiling)],
    serve: ({ servers }) => {
      checkScopes({ ...declared, ...Object.fromEntries(ofAgents) }, servers)
      return () => null
    },
  }
}

const agentScope = (name: string): string => `agent:${name}`
const isOfAgent = (scope: string): boolean => scope.startsWith('agent:')

function makeCeiling(declared: Readonly<Record<string, ScopeActions>>, scopes: readonly string[]): Ceiling {
  const allowed = new WeakMap<ResourceSchema, ReadonlySet<string>>()
  const actionsOf = (schema: ResourceSchema): ReadonlySet<string> => {
    const actions =
      allowed.get(schema) ??
      actionsAt(
        schema,
        scopes.map((name) => declared[name] as ScopeActions),
      )
    allowed.set(schema, actions)
    return actions
  }
  return Object.freeze({
    name: `scope ${scopes.join(' ')}`,
    reason,
    allows: (schema, action) => actionsOf(schema).has(action),
    refusal(schema, action) {
      const sufficient = Object.keys(declared).find((name) =>
        actionsAt(schema, [declared[name] as ScopeActions]).has(action),
      )
      const named = sufficient === undefined ? '' : `, scope="${sufficient}"`
      return new JsonApiError(
        403,
        { title: 'Forbidden', code: 'insufficient_scope', detail: reason },
        { 'WWW-Authenticate': `Bearer error="insufficient_scope"${named}` },
      )
    },
  } satisfies Ceiling)
}

const reason = say`The scopes of your token do not allow that.`
