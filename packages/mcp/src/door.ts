import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Api } from '@prismapi/core/http/api'
import { findUser } from '@prismapi/core/http/authentication'
import type { Call } from '@prismapi/core/http/call'
import { contextFor } from '@prismapi/core/http/execution'
import type { HttpStage } from '@prismapi/core/http/plugin'
import { checkJson, readBytes } from '@prismapi/core/http/request/body'
import { answerMethods } from '@prismapi/core/http/routing'
import { badRequest, forbidden } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { BytesSeal } from '@prismapi/jsonapi/pagination/bytes-seal'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import { type Caller, callerOf } from '@prismapi/openapi/caller'
import { shownSchemas } from '@prismapi/openapi/shown-schemas'
import type { Context } from 'koa'
import type { AgentRequest } from './agent-request.ts'
import { asking } from './inner-request.ts'
import type { McpOptions } from './mcp.ts'
import { neverAllowed } from './never.ts'
import type { Served } from './protocol.ts'

/** Where agents come in, below the base path. No type can be called so. */
export const agentsPath = '/-mcp'

/** What the door of a server is made of. */
export interface Door {
  readonly options: McpOptions
  readonly limits: Limits
  readonly seal: BytesSeal
  readonly told: WeakMap<IncomingMessage, AgentRequest>
  /** What speaks the protocol; left out, the tools of this package. */
  readonly answer?: () => Promise<Protocol['handle']>
}

/** Answers agents at `/-mcp`. */
export const serveAgents =
  (door: Door): HttpStage =>
  (next, api) => {
    let protocol: Promise<Protocol> | null = null
    const enter = (): Promise<Protocol> => {
      protocol ??= openProtocol(door, api)
      return protocol
    }
    return async (call) => {
      if (call.path !== agentsPath) return next(call)
      const { koa } = call
      if (answerMethods(koa, ['POST'])) return
      refuseOtherOrigins(koa, call.api.server.baseUrl)
      await findUser(call)
      const body = await readBytes(call, door.limits.bodyBytes)
      checkJson(body, door.limits)
      // Revisions from 2025-06-18 on have no batches, and a rate limit counts requests.
      if (body.toString('latin1').trimStart().startsWith('[')) throw badRequest(say`Send one message in each request.`)
      const { handle, serve } = await enter()
      const ctx = await contextFor(call)
      call.context = ctx
      const audience = withoutNever(await callerOf(ctx), await neverAllowed(ctx))
      const { server } = call.api
      await handle(call, body, serve(call, { server, audience, schemas: shownSchemas(server.schemas, audience) }))
    }
  }

/** A tool that a caller may never use is not listed. */
const withoutNever = (audience: Caller, never: ReadonlySet<string>): Caller => ({
  ...audience,
  key: [audience.key, ...never].join(' '),
  has: (id) => audience.has(id) && !never.has(id),
})

interface Protocol {
  handle(call: Call, body: Buffer, served: Served): Promise<void>
  serve(call: Call, told: Served['told']): Served
}

// Loaded for the first agent: commands and servers without agents do without.
async function openProtocol({ options, limits, seal, told: requests, answer }: Door, api: Api): Promise<Protocol> {
  const speak = answer ?? (async () => (await import('./protocol.ts')).answerProtocol(api.server, options))
  const ask = asking(api, limits, requests)
  return {
    handle: await speak(),
    serve: (call, told) => ({
      call,
      told,
      ask,
      seal,
      user: call.user,
      requestId: call.koa.state.requestId ?? randomUUID(),
      isReadOnly: options.readOnly === true,
    }),
  }
}

/**
 * Browsers say where a page comes from: from the server's own origin, or from one that the application's CORS allows.
 *
 * @throws {JsonApiError} 403
 */
function refuseOtherOrigins({ req: { headers }, response }: Context, baseUrl: string): void {
  const { origin } = headers
  if (origin === undefined || origin === new URL(baseUrl).origin) return
  if (response.get('Access-Control-Allow-Origin') === origin) return
  throw forbidden(say`Pages of this origin may not use agents' tools.`)
}
