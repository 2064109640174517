import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { BasePathParams, Services } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { HookContext } from '@prismapi/jsonapi/request/hook-context'

export const readHooks: readonly ReadHookName[] = ['reading', 'read']
/** The hooks around a read. */
export type ReadHookName = 'reading' | 'read'

/** What a hook may know of a read. */
export interface ReadEvent {
  /** The signed-in user; null for a guest. */
  readonly user: unknown
  /** The URL as it was asked for, with the server's public origin. */
  readonly url: URL
  /** The values of the parameters of the server's base path. */
  readonly params: BasePathParams
  /** What the application handed to `createApi({ services })`. */
  readonly services: Services
}

export type ReadHook = (rows: readonly Row[], event: ReadEvent) => void | Promise<void>

/** A hook of any kind, before it is known which: each kind has a subject and an event of its own. */
export type AnyHook = (subject: never, event: never) => unknown
/** The hooks of one request, by `model:name`, in the order of their registration. */
export type Hooks = ReadonlyMap<string, readonly AnyHook[]>

export const hookKey = (model: string, name: string): string => `${model}:${name}`

export interface WithHooks {
  readonly served: { readonly hooks: Hooks }
}

export const hooksOf = (ctx: WithHooks, model: string, name: string): readonly AnyHook[] =>
  ctx.served.hooks.get(hookKey(model, name)) ?? []

/** Does a hook look at the rows that were read. */
export const hasReadHook = (ctx: WithHooks, model: string): boolean =>
  ctx.served.hooks.size > 0 && hooksOf(ctx, model, 'read').length > 0

/** Is there a hook around reads of any model. */
export const hasReadHooks = (hooks: Hooks): boolean =>
  hooks.size > 0 && [...hooks.keys()].some((key) => readHooks.some((name) => key.endsWith(`:${name}`)))

interface ReadHookContext extends Pick<HookContext, 'user' | 'at'> {
  readonly server: { readonly services: Services; readonly params: BasePathParams }
}

/** Runs the hooks around a read of the model's rows. */
export function runReadHooks(
  ctx: WithHooks & ReadHookContext,
  model: string,
  name: ReadHookName,
  rows: readonly Row[] = [],
): Awaitable<void> {
  if (ctx.served.hooks.size === 0) return undefined
  return runEach(ctx, hooksOf(ctx, model, name) as ReadHook[], rows)
}

async function runEach(
  { user, at, server: { services, params } }: ReadHookContext,
  hooks: readonly ReadHook[],
  rows: readonly Row[],
): Promise<void> {
  for (const hook of hooks) await hook(rows, { user, url: at.url, params, services })
}
