import type { IncomingMessage } from 'node:http'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { bytesSeal } from '@prismapi/jsonapi/pagination/bytes-seal'
import { FeatureKey } from '@prismapi/jsonapi/request/features'
import { type Limits, limitsOfAgents } from '@prismapi/jsonapi/request/limits'
import type { Feature } from 'prismapi/features'
import type { AgentRequest } from './agent-request.ts'
import { endAtPermission, markDryRuns } from './asked.ts'
import { connectPage } from './connect-page.ts'
import { type Door, serveAgents } from './door.ts'
import { carryOutAndUndo } from './undo.ts'

/** How agents use an API. */
export interface McpOptions {
  /** The servers that agents may use, by their names; left out, all of them. */
  readonly servers?: readonly string[]
  /** No tool writes. */
  readonly readOnly?: boolean
  /** Tells models what the API is for, in a sentence or two. */
  readonly instructions?: string
}

const agentsKey = new FeatureKey<Limits>('agents')

/**
 * Lets agents use your servers by the Model Context Protocol, at `POST <base path>/-mcp`. An agent signs in as other
 * clients do, and may do what its user may: the same policies, scopes, field rules, limits and prices hold. List the
 * result among the features.
 *
 * @see https://modelcontextprotocol.io
 * @example
 * const agents = mcp({ servers: ['v2'], instructions: 'Posts and videos of a publishing site.' })
 */
export function mcp(options: McpOptions = {}): Feature {
  const { servers } = options
  const isServed = ({ name }: Pick<CompiledServer, 'name'>) => servers === undefined || servers.includes(name)
  const told = new WeakMap<IncomingMessage, AgentRequest>()
  const modeOf = ({ koa }: { readonly koa: { readonly req: IncomingMessage } }) => told.get(koa.req)?.mode ?? 'done'
  return {
    commands: { mcp: async () => (await import('./command.ts')).command },
    compiled: {
      key: agentsKey,
      compile: ({ name, limits }) => (isServed({ name }) ? limitsOfAgents(name, limits) : null),
    },
    serve: ({ options: { cursorSecret = null } }) => {
      const seal = bytesSeal(cursorSecret, 'prismapi agents')
      return (server) => {
        const limits = server.features.get(agentsKey)
        if (limits === null) return null
        const door: Door = { options, limits, seal, told }
        return {
          page: { own: { agents: connectPage(server) } },
          around: markDryRuns((call) => modeOf(call) !== 'done'),
          located: endAtPermission((call) => modeOf(call) === 'asked'),
          unrouted: serveAgents(door),
          execute: (next) => (call) =>
            modeOf(call) === 'undone' && call.mayWrite ? carryOutAndUndo(call) : next(call),
          executesWrites: true,
        }
      }
    },
  }
}
