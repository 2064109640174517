import type { CompiledServer } from '@prismapi/core/server/compile'
import type { OwnPage } from '@prismapi/core/server/page-part'
import { say } from '@prismapi/jsonapi/document/text'
import { agentsPath } from './door.ts'

/** Tells readers of the pages how their agents use the server. */
export function connectPage({ name, baseUrl }: CompiledServer): OwnPage {
  const url = baseUrl + agentsPath
  const headers = { Authorization: 'Bearer <token>' }
  const inFile = (member: string, more: object = {}) =>
    JSON.stringify({ [member]: { [name]: { ...more, url, headers } } }, null, 2)
  return {
    title: say`Connect an agent`,
    content: ({ html }) => html`<p>${say`An agent may do what you may do. Give it this URL, and a token of yours:`}</p>
<pre>${url}</pre>
<h2>Claude Code</h2>
<pre>${`claude mcp add --transport http ${name} ${url} --header "Authorization: ${headers.Authorization}"`}</pre>
<h2>Cursor, <code>.cursor/mcp.json</code></h2>
<pre>${inFile('mcpServers')}</pre>
<h2>VS Code, <code>.vscode/mcp.json</code></h2>
<pre>${inFile('servers', { type: 'http' })}</pre>
<p>${say`Clients that sign in by themselves, such as ChatGPT and Claude on the web, need the URL alone.`}</p>`,
  }
}
