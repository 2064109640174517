import { tokenScopes } from '@prismapi/auth'
import { mcp } from '@prismapi/mcp'
import { commenter } from '../../policies/agents/commenter.ts'
import { reader } from '../../policies/agents/reader.ts'

/** What the token of an agent is for: `npm run token -- 3 --scope=agent:reader`. */
export const scopes = tokenScopes({}, { agents: { reader, commenter } })

/** Agents use the second server. */
export default [scopes, mcp({ servers: ['v2'], instructions: 'Posts, videos and comments of a publishing site.' })]
