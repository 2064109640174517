import { ceilingOf } from '@prismapi/core/auth/caller'
import type { CompiledRules } from '@prismapi/core/auth/user-rules'
import type { Call } from '@prismapi/core/http/call'
import type { ServerContext } from '@prismapi/core/server/serving'
import { memo } from '@prismapi/jsonapi/model/memo'

/**
 * What is asked, whoever asks: the server, the URL as it was sent and as a middleware may have changed it, and which
 * extensions and profiles are applied.
 */
export function urlText({ server, negotiated: { ext, profile }, koa: { originalUrl, url } }: Call): string {
  const changed = url === originalUrl ? '' : url
  return `${server.host ?? ''} ${server.baseUrl} ${originalUrl} ${changed} ${ext.join()} ${profile.join()}`
}

/** A number for all rules that say the same. */
export type Numbers = (rules: CompiledRules) => number

export function numbersOfRules(): Numbers {
  let last = 0
  return memo((_: CompiledRules) => ++last)
}

/**
 * What the caller's rules and scopes say: the same text exactly where they say the same. Null where that cannot be
 * told.
 */
export function rulesText({ served, abilityOf, user }: ServerContext, on: DependsOn, numberOf: Numbers): string | null {
  const scopes = served.scopesText(on.scopes)
  if (scopes === null) return null
  let text = `${on.names} `
  for (const model of on.policies) text += `${numberOf(abilityOf.rulesOf(model))} `
  return `${text}${[...served.trash].sort().join()} ${JSON.stringify(ceilingOf(user)?.name ?? null)} ${scopes}`
}

/** The models whose policies and scopes an answer depends on. */
export interface DependsOn {
  readonly policies: ReadonlySet<string>
  readonly scopes: ReadonlySet<string>
  /** The same as a text. An answer that depends on a scope is none to a question that does not name it. */
  readonly names: string
}

/** What the answer to a request depends on, that has come as far as that; null where that is what is known already. */
export function dependsOn({ served, abilityOf }: ServerContext, known: DependsOn | null): DependsOn | null {
  const isKnown = known && [...abilityOf.asked()].every((model) => known.policies.has(model))
  if (isKnown && [...served.asked].every((model) => known.scopes.has(model))) return null
  const policies = new Set([...(known?.policies ?? []), ...abilityOf.asked()])
  const scopes = new Set([...(known?.scopes ?? []), ...served.asked])
  return { policies, scopes, names: `${[...policies].join()} ${[...scopes].join()}` }
}
