import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '@prismapi/core/http/api'
import type { Call } from '@prismapi/core/http/call'
import { jsonapi } from '@prismapi/core/http/jsonapi'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import Koa from 'koa'
import inject, { type InjectOptions } from 'light-my-request'
import type { AgentRequest } from './agent-request.ts'

/** A request of HTTP that a tool stands for. */
export interface Asked {
  readonly method: 'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path and the query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What HTTP would answer. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The text of the document; empty for none. */
  readonly text: string
}

/** Asks a server in the name of whoever sent a call. */
export type Ask = (call: Call, asked: Asked, agent: AgentRequest) => Promise<Answered>

// What a request for a tool says beside its credentials, and what is meant for what the tool asks.
const passed = ['accept-language', 'prismapi-position', 'traceparent', 'tracestate'] as const

/**
 * A tool goes on as the request that it stands for, through all stages of the server: so it is answered as by HTTP. Who
 * sent the tool's request has been found already, and is counted once.
 *
 * @param told what the stages of this package are told of such a request
 */
export function asking(api: Api, limits: Limits, told: WeakMap<IncomingMessage, AgentRequest>): Ask {
  const koa = new Koa()
  const own: Api = {
    ...api,
    server: Object.freeze({ ...api.server, limits }),
    authenticate: ({ req }) => told.get(req as IncomingMessage)?.user ?? null,
  }
  koa.silent = true
  koa.use((ctx, next) => {
    const { requestId, source } = told.get(ctx.req) as AgentRequest
    Object.assign(ctx.state, { requestId, requestSource: source })
    return next()
  })
  koa.use(jsonapi(own))
  const respond = koa.callback()
  return async (call, { method, url, headers = {}, body }, agent) => {
    const outer = call.koa
    const kept = passed.flatMap((name) => {
      const value = outer.req.headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    let leave = (): void => {}
    const dispatch = (req: IncomingMessage, res: ServerResponse): void => {
      told.set(req, agent)
      // What a client no longer waits for is undone.
      leave = () => void res.destroy()
      outer.res.once('close', leave)
      respond(req, res)
    }
    try {
      const {
        statusCode,
        headers: sent,
        payload,
      } = await inject(dispatch as Parameters<typeof inject>[0], {
        method: method as NonNullable<InjectOptions['method']>,
        url,
        remoteAddress: outer.ip,
        headers: { ...Object.fromEntries(kept), host: outer.host, accept: mediaType, ...headers },
        ...(body !== undefined && { payload: body }),
      })
      return { status: statusCode, headers: sent, text: payload }
    } finally {
      outer.res.off('close', leave)
    }
  }
}

const mediaType = 'application/vnd.api+json'
