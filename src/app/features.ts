import { mcp } from '@prismapi/mcp'

/** Agents use the second server. */
export default [mcp({ servers: ['v2'], instructions: 'Posts, videos and comments of a publishing site.' })]
