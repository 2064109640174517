import type { ScopeActions } from '@prismapi/auth'

/** Reads, and writes comments as its user does. */
export const commenter: ScopeActions = { '*': ['reads'], Comment: ['create', 'update'] }
