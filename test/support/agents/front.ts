import type { Middleware } from 'koa'

/** How many requests an agent has asked in the place of HTTP. */
export interface Front extends Middleware {
  asked: number
}

/**
 * Stands before servers: what a tool can read is asked by the tool, by a client of 2026-07-28, with the credentials of
 * the request; everything else by HTTP. So whatever asks an application asks the door of agents.
 */
export function frontOfAgents(base: string): Front {
  const front: Front = Object.assign(
    async (...[ctx, next]: Parameters<Middleware>) => {
      const call = ctx.method === 'GET' && ctx.path.startsWith(`${base}/`) ? callFor(ctx.path, ctx.search, base) : null
      if (call === null) return next()
      front.asked++
      const { port } = ctx.req.socket.address() as { port: number }
      const result = await callTool(`http://127.0.0.1:${port}${base}/-mcp`, call, ctx.req.headers.authorization)
      ctx.status = result.isError ? statusOf(result.structuredContent) : 200
      ctx.set('Content-Type', 'application/vnd.api+json')
      ctx.body = JSON.stringify(result.structuredContent)
    },
    { asked: 0 },
  )
  return front
}

interface Result {
  readonly isError?: boolean
  readonly structuredContent: { readonly errors?: readonly { readonly status: string }[] }
}

/** As the document of HTTP: 400 for several that differ. */
function statusOf({ errors = [] }: Result['structuredContent']): number {
  const statuses = new Set(errors.map(({ status }) => Number(status)))
  return statuses.size === 1 ? ([...statuses][0] ?? 400) : 400
}

/** What a client of 2026-07-28 sends. */
export const rawCall = (
  url: string,
  params: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
) => {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': version,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': String(params.name),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } }),
  })
}

async function callTool(url: string, params: Call, authorization: string | undefined): Promise<Result> {
  const response = await rawCall(
    url,
    { ...params },
    authorization === undefined ? {} : { Authorization: authorization },
  )
  const body = (await response.json()) as { result: Result } & Result['structuredContent']
  // Wrong credentials are refused before the protocol is read.
  return response.ok ? body.result : { isError: true, structuredContent: body }
}

interface Call {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The tool that asks the same; null where none does. */
function callFor(path: string, search: string, base: string): Call | null {
  const [type = '', id, relation, ...more] = path
    .slice(base.length + 1)
    .split('/')
    .map(decodeURIComponent)
  const about = argumentsFor(search)
  if (about === null || more.length > 0 || type.startsWith('-') || !/^[a-z-]+$/.test(type) || type === 'docs')
    return null
  if (id === undefined) return { name: 'list', arguments: { type, ...about } }
  if (id === '-stats' && relation === undefined) return { name: 'stats', arguments: { type, ...about } }
  if (id.startsWith('-') || id === '') return null
  const hasOwn = Object.keys(about).every((name) => name === 'include' || name === 'fields')
  if (relation === undefined) return hasOwn ? { name: 'get', arguments: { type, id, ...about } } : null
  if (relation === 'relationships' || relation.startsWith('-')) return null
  return { name: 'list', arguments: { type, id, relation, ...about } }
}

const lists = new Set(['in', 'notIn', 'hasSome', 'hasEvery'])

function argumentsFor(search: string): Record<string, unknown> | null {
  const found: Record<string, Record<string, unknown> | unknown> = {}
  const tree: Record<string, unknown> = {}
  for (const [key, value] of new URLSearchParams(search)) {
    const [, family = '', brackets = ''] = /^(\w+)((?:\[[^\]]*\])*)$/.exec(key) ?? []
    const path = [...brackets.matchAll(/\[([^\]]*)\]/g)].map(([, name = '']) => name)
    if (family === 'sort' || family === 'include' || family === 'groupBy') {
      if (path.length > 0 || value === '' || family in found) return null
      found[family] = value.split(',')
    } else if (family === 'fields' || family === 'withStats') {
      if (path.length !== 1) return null
      found[family] = { ...(found[family] as object), [path[0] as string]: value === '' ? [] : value.split(',') }
    } else if (family === 'page') {
      if (path.length !== 1) return null
      found.page = { ...(found.page as object), [path[0] as string]: value }
    } else if (family === 'filter') {
      if (path.length === 0 || path.includes('') || value === '' || !put(tree, path, sentValue(path, value)))
        return null
      found.filter = grouped(tree)
    } else return null
  }
  return found
}

/** Several values are a list, where a comma separates values. */
function sentValue(path: readonly string[], value: string): unknown {
  const isPlain = path.length === 1 || /^\d+$/.test(path.at(-2) ?? '')
  if (!isPlain && !lists.has(path.at(-1) ?? '')) return value
  const values = value.split(/(?<!\\),/).map((each) => each.replaceAll('\\,', ','))
  return values.length === 1 && isPlain ? values[0] : values
}

function put(tree: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): boolean {
  if (rest.length === 0) {
    if (name in tree) return false
    tree[name] = value
    return true
  }
  tree[name] ??= {}
  const inner = tree[name]
  return typeof inner === 'object' && !Array.isArray(inner) && put(inner as Record<string, unknown>, rest, value)
}

/** Groups have lists. */
function grouped(tree: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) =>
      ['and', 'or', 'not'].includes(name) && typeof value === 'object' && value !== null
        ? [name, Object.values(value).map((each) => (typeof each === 'object' ? grouped(each) : each))]
        : [name, value],
    ),
  )
}
