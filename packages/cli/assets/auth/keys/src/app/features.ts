import { tokenScopes } from '@prismapi/auth'

/** What the scopes of API keys let them be used for, of what the policies allow. */
export const scopes = tokenScopes({
  read: { '*': ['reads'] },
  write: { '*': ['reads', 'writes'] },
})

export default [scopes]
