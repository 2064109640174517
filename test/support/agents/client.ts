import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { signToken } from '../../../src/app/auth.ts'
import { authSecret } from '../api.ts'

/** What a tool has returned. */
export interface ToolResult {
  readonly isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly data: any
  readonly text: string
}

interface ClientOptions {
  /** Whose token it has; left out, it is a guest. */
  readonly user?: number
  readonly path?: string
  /** `legacy` begins with a handshake, as clients before 2026-07-28 do. */
  readonly mode?: 'auto' | 'legacy'
  readonly name?: string
}

/** An agent of the official SDK. */
export async function openAgent({ at }: { readonly at: string }, options: ClientOptions = {}) {
  const { user, path = '/api/v2/-mcp', mode = 'auto', name = 'A test' } = options
  const client = new Client({ name, version: '1' }, { capabilities: {}, versionNegotiation: { mode } } as never)
  const headers: Record<string, string> =
    user === undefined ? {} : { Authorization: `Bearer ${await signToken(user, authSecret)}` }
  const transport = new StreamableHTTPClientTransport(new URL(at + path), { requestInit: { headers } })
  await client.connect(transport)
  return {
    client,
    call: async (tool: string, args: object = {}): Promise<ToolResult> => {
      const result = await client.callTool({ name: tool, arguments: args as Record<string, unknown> })
      const [content] = result.content as readonly { readonly text: string }[]
      return { isError: result.isError === true, data: result.structuredContent, text: content?.text ?? '' }
    },
    close: () => client.close(),
  }
}
